/**
 * The heavy libraries, in one place that is only ever imported by `await import('./libraries.ts')`: the build makes it
 * a bundle of its own, so that none of this loads at activation.
 */
export { KubeConfig } from '@kubernetes/client-node/dist/config.js';
export { WebSocket, WebSocketServer } from 'ws';
export { parse as parseYaml, parseAllDocuments } from 'yaml';
