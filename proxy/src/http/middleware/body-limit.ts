import { bodyLimit } from 'hono/body-limit';
import { AppError } from '../../app/app-error.ts';

/** Nothing that a client sends is larger than `maxSize` bytes; more is 413, whatever length it claims to have. */
export function limitBody(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError('body_too_large');
    },
  });
}
