import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { stringToBytes } from 'viem';

import { MessageConfirmation } from '../../../../src/ui/confirm/message';
import {
  drawPage,
  elementsOf,
  namesOf,
  textOf,
  textsOf,
  translate,
  warningsOf,
} from '../../../support/view';

const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const ORIGIN = 'https://dapp.example';

const draw = (message: string | Uint8Array, origin = ORIGIN): JSXElement =>
  drawPage(
    MessageConfirmation({
      translate,
      origin,
      account: ACCOUNT,
      message: typeof message === 'string' ? stringToBytes(message) : message,
    }),
  );

describe('the confirmation of a message', () => {
  it('shows title, who asks, the account, the text and its bytes, then the buttons', () => {
    const content = draw('hello');
    expect(textsOf(content)).toStrictEqual([
      textOf('message.title'),
      textOf('field.origin'),
      ORIGIN,
      textOf('field.account'),
      ACCOUNT,
      'hello',
      textOf('raw.title'),
      '0x68656c6c6f',
      textOf('action.refuse'),
      textOf('action.approve'),
    ]);
    expect(namesOf(content, 'Button')).toStrictEqual(['refuse', 'approve:1']);
    expect(warningsOf(content)).toStrictEqual([]);
  });

  it('keeps line breaks, tabs and letters of every script', () => {
    const text = 'grüße\n\t你好 🎉 مرحبا';
    expect(textsOf(draw(text))).toContain(text);
  });

  it.each([
    ['bytes that are no UTF-8', Uint8Array.of(0xff, 0xfe), '0xfffe'],
    ['control characters', Uint8Array.of(0x61, 0x00, 0x62), '0x610062'],
    ['an escape sequence', stringToBytes('\u001b[8m'), '0x1b5b386d'],
  ])('shows %s as hex, and says so', (_what, message, hex) => {
    const texts = textsOf(draw(message));
    expect(texts).toContain(textOf('message.hex'));
    expect(texts.filter((text) => text === hex)).toHaveLength(2);
  });

  it.each([
    ['a direction override', 'pay \u202e001', String.raw`pay \u{202e}001`],
    ['an isolate', 'a\u2066b\u2069', String.raw`a\u{2066}b\u{2069}`],
    ['a zero-width space', 'a\u200bb', String.raw`a\u{200b}b`],
    ['a byte order mark', '\ufeffa', String.raw`\u{feff}a`],
    ['a soft hyphen', 'a\u00adb', String.raw`a\u{ad}b`],
    ['a tag character', 'a\u{e0041}b', String.raw`a\u{e0041}b`],
    ['a carriage return that hides a line', 'a\rb', String.raw`a\u{d}b`],
    ['a filler, which no reader sees', 'a\u3164b', String.raw`a\u{3164}b`],
  ])('makes visible %s', (_what, message, shown) => {
    expect(textsOf(draw(message))).toContain(shown);
  });

  it('makes visible what an origin hides, in one line', () => {
    const texts = textsOf(draw('hello', 'https://evil\u202e.example\n\nhttps://good'));
    expect(texts).toContain(String.raw`https://evil\u{202e}.example https://good`);
  });

  it('spreads a long text over pages, with its bytes', () => {
    const bytes = stringToBytes(
      Array.from({ length: 25_000 }, (_, i) => i % 10).join(''),
    );
    const view = MessageConfirmation({
      translate,
      origin: ORIGIN,
      account: ACCOUNT,
      message: bytes,
    });
    expect(view.pages).toBe(3);
    const pages = [0, 1, 2].map((page) => {
      const copies = elementsOf(drawPage(view, page)).filter(
        ({ type }) => type === 'Copyable',
      );
      return copies.map(({ props }) => props.value);
    });
    expect(pages.map(([text]) => text).join('')).toBe(Buffer.from(bytes).toString());
    expect(pages[0]?.[1]).toBe(`0x${Buffer.from(bytes).toString('hex')}`);
    expect(pages.slice(1).map(({ length }) => length)).toStrictEqual([1, 1]);
  });
});
