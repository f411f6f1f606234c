/** Holds what belongs to the settings in force. Work that has begun ends with what it held then. */
export interface Current<T> {
  readonly now: T;
}
