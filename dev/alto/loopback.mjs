// Preload for a server that always listens on all interfaces. Makes it listen on loopback and print
// its port.
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function listenOnLoopback(options, ...others) {
  this.once('listening', () => {
    process.stdout.write(`Listening on 127.0.0.1:${this.address().port}\n`);
  });
  return listen.call(this, { ...options, host: '127.0.0.1' }, ...others);
};
