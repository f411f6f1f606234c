import { buildProxy } from '../proxy/build/build-proxy.ts';
import { proxyFolder } from './steps.ts';

/** `npm run build:proxy`: the proxy as one folder; its source maps in a folder beside it. */
await buildProxy(proxyFolder, `${proxyFolder}-maps`);
console.log(proxyFolder);
