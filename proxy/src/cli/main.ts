import { keepCompiled } from './keep-compiled.ts';

/** `node deskside/deskside.js`: every command. Loaded only here, once it is known that this Node can. */
keepCompiled();
await import('./program.ts');
