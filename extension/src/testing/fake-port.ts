import { vi } from 'vitest';

/** A port of the browser's. `receive`: what comes from its other side; `end`: that is closed. */
export function fakePort() {
  const listeners: Record<string, (message?: unknown) => void> = {};
  return {
    onMessage: { addListener: (listener: () => void) => Object.assign(listeners, { message: listener }) },
    onDisconnect: { addListener: (listener: () => void) => Object.assign(listeners, { end: listener }) },
    postMessage: vi.fn(),
    disconnect: vi.fn(),
    receive: (message: unknown) => listeners.message?.(message),
    end: () => listeners.end?.(),
  };
}
