/** `node deskside/serve.js`: the command `serve` without its name, for whoever only starts the service. */
process.argv.splice(2, 0, 'serve');
await import('./main.ts');
