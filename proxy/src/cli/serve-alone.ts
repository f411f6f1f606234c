import { keepCompiled } from './keep-compiled.ts';

/** `node deskside/serve.js`: the service alone. Loaded only here, once it is known that this Node can. */
keepCompiled();
await import('./serve/service.ts');
