/** `node deskside/serve.js`: the service alone. Loaded only here, once it is known that this Node can. */
await import('./serve/service.ts');
