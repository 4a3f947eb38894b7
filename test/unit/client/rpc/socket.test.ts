import { createSocketOpener } from '../../../../src/client';
import type { SocketEvents } from '../../../../src/client';
import { errorOf } from '../../../support/error-of';

/** A WebSocket in a test's hand. */
class ManualSocket extends EventTarget {
  static last: ManualSocket;

  binaryType: BinaryType = 'blob';

  readyState = 0;

  closes = 0;

  readonly sent: unknown[] = [];

  constructor(readonly url: string) {
    super();
    if (!url.startsWith('ws')) throw new SyntaxError('Invalid URL.');
    ManualSocket.last = this;
  }

  send(data: unknown): void {
    this.sent.push(data);
  }

  close(): void {
    this.closes += 1;
  }

  tell(type: string, data?: unknown): void {
    this.readyState = { open: 1, close: 3 }[type] ?? this.readyState;
    this.dispatchEvent(Object.assign(new Event(type), { data }));
  }
}

function setup(url = 'ws://node.example'): {
  opening: ReturnType<ReturnType<typeof createSocketOpener>>;
  heard: string[];
  abort: AbortController;
} {
  const heard: string[] = [];
  const events: SocketEvents = {
    onMessage: async (text) => {
      heard.push(text);
      return Promise.resolve();
    },
    onClose: () => heard.push('closed'),
  };
  const abort = new AbortController();
  const open = createSocketOpener(ManualSocket);
  return { opening: open(url, events, abort.signal), heard, abort };
}

describe('the socket of a platform', () => {
  it('passes on texts and bytes, and then that it closed', async () => {
    const { opening, heard } = setup();
    ManualSocket.last.tell('open');
    ManualSocket.last.tell('message', 'early');
    await opening;
    ManualSocket.last.tell('message', new TextEncoder().encode('ä').buffer);
    ManualSocket.last.tell('message', new Uint8Array([0xff]).buffer);
    ManualSocket.last.tell('close');
    expect(heard).toStrictEqual(['early', 'ä', '\ufffd', 'closed']);
    expect(ManualSocket.last.binaryType).toBe('arraybuffer');
  });

  it('sends while it is open, and says so when it is not', async () => {
    const { opening } = setup();
    ManualSocket.last.tell('open');
    const { send, close } = await opening;
    await send('text');
    expect(ManualSocket.last.sent).toStrictEqual(['text']);
    await close();
    expect(ManualSocket.last.closes).toBe(1);
    ManualSocket.last.tell('close');
    expect((await errorOf(async () => send('late'))).message).toBe(
      'The socket is closed.',
    );
  });

  it.each([
    ['error', 'The socket did not open.'],
    ['close', 'The socket closed before it opened.'],
  ])('does not open after the event %s', async (type, message) => {
    const { opening, heard } = setup();
    ManualSocket.last.tell(type);
    ManualSocket.last.tell('close');
    expect((await errorOf(async () => opening)).message).toBe(message);
    expect(heard).toStrictEqual([]);
  });

  it('closes what is given up while it opens', async () => {
    const { opening, abort } = setup();
    abort.abort();
    expect(ManualSocket.last.closes).toBe(1);
    ManualSocket.last.tell('close');
    await expect(opening).rejects.toThrow('closed before it opened');
  });

  it('does not open at an address that is none', async () => {
    const { opening } = setup('http://node.example');
    await expect(opening).rejects.toThrow('Invalid URL.');
  });
});
