// The bundler process for EntryPoint 0.6. The files with its configuration and phrase exist
// only while it starts.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

process.once('disconnect', () => process.exit(0));
if (!process.connected) process.exit(0);

// The package always listens on all interfaces, so this makes it listen on loopback.
const listen = Server.prototype.listen;
Server.prototype.listen = function listenOnLoopback(port) {
  return listen.call(this, Number(port), '127.0.0.1');
};

// The package's contract bindings use ethers 5 without declaring the dependency. Without this, they
// would load whichever version is at the top level of node_modules.
const require = createRequire(import.meta.url);
const bundlerEntry = require.resolve('@metamask/test-bundler');
const ethers = dirname(createRequire(bundlerEntry).resolve('ethers/package.json'));
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolveEthers(request, ...others) {
  const path = request.replace(/^ethers(?=$|\/)/u, () => ethers);
  return resolveFilename.call(this, path, ...others);
};

const { startBundler } = require(bundlerEntry);

// Before each bundle, the package requests events starting at the block after the last one that it
// has seen. Until that block exists, anvil returns an error. Once the bundler's timer
// of one second has seen the last block, every operation would fail until the next one.
const modules = join(dirname(bundlerEntry), 'bundler', 'modules');
const { EventsManager } = require(join(modules, 'EventsManager.js'));
const { handlePastEvents } = EventsManager.prototype;
EventsManager.prototype.handlePastEvents = async function handleExistingBlocks() {
  const head = await this.entryPoint.provider.getBlockNumber();
  if (!(this.lastBlock > head)) await handlePastEvents.call(this);
};

const [{ config, mnemonic }] = await once(process, 'message');
const { httpServer } = await start();
process.stdout.write(`Listening on 127.0.0.1:${httpServer.address().port}\n`);

async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-bundler-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const phraseFile = join(folder, 'mnemonic');
  const configFile = join(folder, 'config.json');
  writeFileSync(phraseFile, mnemonic);
  writeFileSync(configFile, JSON.stringify({ ...config, mnemonic: phraseFile }));
  try {
    const server = await startBundler({ configFile, unsafe: true });
    await server.asyncStart();
    if (!server.httpServer.listening) await once(server.httpServer, 'listening');
    return server;
  } finally {
    remove();
  }
}
