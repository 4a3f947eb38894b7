import type { WebSocketEvent } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';

import { handleWebSocketEvent } from '../../../src/handlers/web-socket-event';
import { createSockets } from '../../../src/snap/sockets';
import type { Sockets } from '../../../src/snap/sockets';
import { createGate, settle } from '../../support/gate';
import { createFakePlatform, paramsOf } from '../../support/platform';
import type { FakePlatform } from '../../support/platform';

const URL = 'wss://node.example/v3/key';

const ORIGIN = 'wss://node.example';

type Bench = {
  platform: FakePlatform;
  sockets: Sockets;
  heard: string[];
  open: (url?: string) => ReturnType<Sockets['open']>;
  tell: (event: object) => Promise<void>;
};

/** A worker; the wallet holds the sockets of those before it. */
function setup(held: { id: string; url: string }[] = []): Bench {
  const platform = createFakePlatform();
  let count = 0;
  Object.assign(platform.answers, {
    snap_getWebSockets: () => Promise.resolve(held as unknown as Json),
    snap_openWebSocket: ({ url }: { url: string }) => {
      const id = `socket-${(count += 1)}`;
      held.push({ id, url });
      return Promise.resolve(id);
    },
    snap_sendWebSocketMessage: () => Promise.resolve(null),
    snap_closeWebSocket: () => Promise.resolve(null),
  });
  Object.assign(globalThis, { snap: platform });
  const sockets = createSockets();
  const heard: string[] = [];
  const events = {
    onMessage: async (text: string) => {
      await settle();
      heard.push(text);
    },
    onClose: () => void heard.push('closed'),
  };
  return {
    platform,
    sockets,
    heard,
    open: async (url = URL) => sockets.open(url, { ...events }),
    tell: async (event) =>
      handleWebSocketEvent(
        { event: { origin: ORIGIN, ...event } as WebSocketEvent },
        { sockets },
      ),
  };
}

const text = (id: string, message: string): object => ({
  type: 'message',
  id,
  data: { type: 'text', message },
});

const close = (id: string): object => ({ type: 'close', id, code: 1006 });

afterAll(() => {
  Object.assign(globalThis, { snap: undefined });
});

describe("a socket of the wallet's", () => {
  it('is opened, sends, tells and closes', async () => {
    const { platform, open, tell, heard } = setup();
    const socket = await open();
    await tell({ type: 'open', id: 'socket-1' });
    await socket.send('question');
    await tell(text('socket-1', 'answer'));
    const bytes = { type: 'binary', message: [0x7b, 0x7d] };
    await tell({ type: 'message', id: 'socket-1', data: bytes });
    await tell(close('socket-1'));
    expect(heard).toStrictEqual(['answer', '{}', 'closed']);
    expect(paramsOf(platform, 'snap_openWebSocket')).toStrictEqual([{ url: URL }]);
    expect(paramsOf(platform, 'snap_sendWebSocketMessage')).toStrictEqual([
      { id: 'socket-1', message: 'question' },
    ]);
    await expect(socket.send('late')).rejects.toThrow('The socket is closed.');
  });

  it('is taken over from an earlier worker, by its whole address', async () => {
    const { platform, open, tell, heard } = setup([
      { id: 'other', url: `${URL}2` },
      { id: 'mine', url: URL },
    ]);
    await open();
    await tell(text('other', 'not for us'));
    await tell(text('mine', 'for us'));
    expect(heard).toStrictEqual(['for us']);
    expect(paramsOf(platform, 'snap_openWebSocket')).toStrictEqual([]);
  });

  it('is closed once, and is opened anew only after that', async () => {
    const { platform, open, tell } = setup();
    const socket = await open();
    await socket.close();
    await socket.close();
    expect(paramsOf(platform, 'snap_closeWebSocket')).toStrictEqual([
      { id: 'socket-1' },
    ]);
    // The wallet lists it until it is closed, and would refuse a second one.
    platform.answers.snap_openWebSocket = () =>
      Promise.reject(new Error('An open WebSocket connection already exists.'));
    await expect(open()).rejects.toThrow('already exists');
    await tell(close('socket-1'));
    platform.answers.snap_openWebSocket = () => Promise.resolve('socket-2');
    platform.answers.snap_getWebSockets = () => Promise.resolve([]);
    await expect(open()).resolves.toBeDefined();
  });

  it('is not shared: an address that is in use is refused', async () => {
    const { open } = setup();
    const first = await open();
    await expect(open()).rejects.toThrow('The socket is in use already.');
    await expect(first.send('still ours')).resolves.toBeUndefined();
  });

  it('did not open if it closed before its opening was told', async () => {
    const { platform, open, tell, heard } = setup();
    const gate = createGate();
    platform.answers.snap_openWebSocket = async () => {
      await gate.opened;
      return 'socket-1';
    };
    const opening = open();
    await settle();
    await tell(close('socket-1'));
    gate.open();
    await expect(opening).rejects.toThrow('The socket closed at once.');
    expect(heard).toStrictEqual([]);
  });
});

describe('a socket that nobody listens to', () => {
  it('is closed when it speaks, so that it wakes the snap no more', async () => {
    const { platform, tell } = setup([{ id: 'orphan', url: URL }]);
    await tell(text('orphan', 'block'));
    expect(paramsOf(platform, 'snap_closeWebSocket')).toStrictEqual([{ id: 'orphan' }]);
    await tell(close('orphan'));
  });

  it('is left alone while one is being opened, for that may be it', async () => {
    const { platform, open, tell } = setup([{ id: 'orphan', url: URL }]);
    const gate = createGate();
    const { snap_getWebSockets: list } = platform.answers;
    platform.answers.snap_getWebSockets = async (params) => {
      await gate.opened;
      return list?.(params) ?? null;
    };
    const opening = open();
    await tell(text('orphan', 'block'));
    gate.open();
    await opening;
    expect(paramsOf(platform, 'snap_closeWebSocket')).toStrictEqual([]);
  });

  it('may be gone already', async () => {
    const { platform, tell } = setup();
    platform.answers.snap_closeWebSocket = () =>
      Promise.reject(new Error('Socket with ID "orphan" not found.'));
    await expect(tell(text('orphan', 'block'))).resolves.toBeUndefined();
  });
});

describe('closing all others', () => {
  it('leaves those that are wanted', async () => {
    const { platform, sockets } = setup([
      { id: 'old', url: 'wss://old.example' },
      { id: 'mine', url: URL },
    ]);
    await sockets.closeOthers(new Set([URL]));
    expect(paramsOf(platform, 'snap_closeWebSocket')).toStrictEqual([{ id: 'old' }]);
  });

  it('does nothing in a wallet without sockets', async () => {
    const { platform, sockets } = setup();
    platform.answers.snap_getWebSockets = () => Promise.reject(new Error('unknown'));
    await expect(sockets.closeOthers(new Set())).resolves.toBeUndefined();
    expect(paramsOf(platform, 'snap_closeWebSocket')).toStrictEqual([]);
  });
});
