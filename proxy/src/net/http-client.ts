/// <reference path="./undici-parts.d.ts" />
import request from 'undici/lib/api/api-request.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

// The library's entry adds all of its ways to ask.
Dispatcher.prototype.request = request;

/**
 * What is used of the HTTP library, by its own files: with its entry come fetch, WebSockets, caches and mocks, which were a
 * third of the built program.
 */
export { default as buildConnector } from 'undici/lib/core/connect.js';
export { default as errors } from 'undici/lib/core/errors.js';
export { default as Client } from 'undici/lib/dispatcher/client.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
export type { Dispatcher };
