/** A value that prints as `[secret]` wherever it might end up by mistake: JSON, templates, logs, inspection. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for the one place that sends it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  /** What Node shows of it. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]';
  }
}

/** The values themselves, likewise for the one place that takes them all. */
export function revealed(secrets: readonly Secret[]): string[] {
  return secrets.map((secret) => secret.reveal());
}
