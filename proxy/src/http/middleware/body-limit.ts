import { bodyLimit } from 'hono/body-limit';
import { AppError } from '#app/runtime/app-error.ts';

/** Rejects bodies larger than `maxSize` bytes with 413, whatever length they claim to have. */
export function limitBody(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError('body_too_large');
    },
  });
}
