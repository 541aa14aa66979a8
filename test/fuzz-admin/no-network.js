// Loaded with --import before a server that is sent anything: whatever addresses it is told, it reaches this machine only.
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';

const LOOPBACK = /^(127\.|::1$|localhost$)/;

dns.lookup = (host) => Promise.reject(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }));
syncBuiltinESMExports();

const connect = Socket.prototype.connect;
Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  const host = typeof first === 'object' && first !== null ? (first.host ?? 'localhost') : (args[1] ?? 'localhost');
  if (typeof host === 'string' && !LOOPBACK.test(host)) {
    process.nextTick(() =>
      this.destroy(Object.assign(new Error(`connect ECONNREFUSED ${host}`), { code: 'ECONNREFUSED' })),
    );
    return this;
  }
  return connect.apply(this, args);
};
