import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { parseTypedData } from '../../../../src/eth/typed-data';
import { TypedDataConfirmation } from '../../../../src/ui/confirm/typed-data';
import { safeTx } from '../../../fixtures/trust/more-shapes';
import { permit } from '../../../fixtures/trust/shapes';
import { mailOf } from '../../../support/typed-data';
import {
  drawPage,
  elementsOf,
  textOf,
  textsOf,
  translate,
  warningsOf,
} from '../../../support/view';

const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const about = { translate, origin: 'https://dapp.example', account: ACCOUNT } as const;

const draw = (document: Record<string, Json>, chainId?: bigint): JSXElement =>
  drawPage(
    TypedDataConfirmation({
      translate,
      origin: 'https://dapp.example',
      account: ACCOUNT,
      chainId,
      data: parseTypedData(document, 'data'),
    }),
  );

const mail = mailOf(1) as Record<string, Record<string, Json>>;

const withDomain = (changes: Record<string, Json>): Record<string, Json> => ({
  ...mail,
  domain: { ...mail.domain, ...changes },
});

const withMessage = (changes: Record<string, Json>): Record<string, Json> => ({
  ...mail,
  message: { ...mail.message, ...changes },
});

const payment = safeTx({ value: '1500000000000000000' });

describe('the confirmation of typed data', () => {
  it.each<[string, ...Parameters<typeof draw>]>([
    ['250 USDC (250000000)', permit(), 1n],
    ['1.5 POL (1500000000000000000)', payment, 137n],
    ["1.5 of the network's currency (1500000000000000000)", payment],
  ])('writes amounts in their unit: %s', (text, ...document) => {
    const texts = textsOf(draw(...document));
    expect(texts[texts.indexOf('value') + 1]).toBe(text);
  });

  it('shows who asks, the account, the chain, what it is and for which contract', () => {
    const texts = textsOf(draw(mail, 1n));
    expect(texts.slice(0, 11)).toStrictEqual([
      textOf('typedData.title'),
      textOf('field.origin'),
      'https://dapp.example',
      textOf('field.account'),
      ACCOUNT,
      textOf('field.chain'),
      'Ethereum (eip155:1)',
      textOf('field.primaryType'),
      'Ether Mail: Mail',
      textOf('field.contract'),
      '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
    ]);
    expect(warningsOf(draw(mail, 1n))).toStrictEqual([]);
  });

  it('shows the message as it can be read, and the whole as it is signed', () => {
    const texts = textsOf(draw(mail, 1n));
    const start = texts.indexOf('from: Person');
    expect(texts.slice(start, start + 12)).toStrictEqual([
      'from: Person',
      'name',
      'Cow',
      'wallet',
      '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
      'to: Person',
      'name',
      'Bob',
      'wallet',
      '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
      'contents',
      'Hello, Bob!',
    ]);
    const whole = texts[texts.indexOf(textOf('raw.title')) + 1] ?? '';
    expect(JSON.parse(whole)).toStrictEqual(mail);
  });

  it('is for every network where it names none', () => {
    const texts = textsOf(draw(mail));
    expect(texts[texts.indexOf(textOf('field.chain')) + 1]).toBe(textOf('chain.every'));
  });

  const ofText = [
    { name: 'name', type: 'string' },
    { name: 'verifyingContract', type: 'string' },
  ];

  it.each<[string, Json[], Record<string, Json>]>([
    ['no contract', ofText.slice(0, 1), { name: 'Ether Mail' }],
    [
      'a text as the contract',
      ofText,
      { name: 'Ether Mail', verifyingContract: '0x12' },
    ],
  ])('shows none where there is %s', (_what, EIP712Domain, domain) => {
    const content = draw({ ...mail, types: { ...mail.types, EIP712Domain }, domain });
    expect(textsOf(content)).not.toContain(textOf('field.contract'));
  });

  it('makes visible what names and texts hide', () => {
    const named = textsOf(draw(withDomain({ name: 'Ether\u202eliaM\nx' })));
    expect(named).toContain(String.raw`Ether\u{202e}liaM x: Mail`);
    const written = textsOf(draw(withMessage({ contents: 'a\u200bb\u0000' }))).join('');
    expect(written).toContain(String.raw`a\u{200b}b`);
    expect(written).not.toMatch(/[\u0000\u200b]/u);
  });

  it('caps a long name', () => {
    const texts = textsOf(draw(withDomain({ name: 'x'.repeat(1_000) })));
    expect(texts).toContain(`${'x'.repeat(200)}…`);
  });

  it('shows a long text in pieces, and long types as they are signed, page by page', () => {
    const contents = Array.from({ length: 40_000 }, (_, index) => index).join('');
    const Unused = [{ name: 'x'.repeat(20_000), type: 'string' }];
    const document = { ...withMessage({ contents }), types: { ...mail.types, Unused } };
    const data = parseTypedData(document, 'data');
    const view = TypedDataConfirmation({ ...about, chainId: 1n, data });
    const pages = Array.from({ length: view.pages }, (_, page) =>
      textsOf(drawPage(view, page)),
    );
    const all = pages.flat();
    const pieces = all.filter((_text, index) =>
      /^contents › \d+\/19$/u.test(all[index - 1] ?? ''),
    );
    expect(pieces.join('')).toBe(contents);
    const raw = all.filter((_text, index) =>
      (all[index - 1] ?? '').startsWith(`${textOf('raw.title')} (`),
    );
    expect(JSON.parse(raw.join(''))).toStrictEqual(data);
    expect(pages.map((texts) => texts.join('').length < 400_000)).not.toContain(false);
  });

  it('shows each value of a list, page by page', () => {
    const types = { ...mail.types, Mail: [{ name: 'ids', type: 'uint256[]' }] };
    const ids = Array.from({ length: 400 }, (_, index) => String(index));
    const data = parseTypedData({ ...mail, types, message: { ids } }, 'data');
    const view = TypedDataConfirmation({ ...about, chainId: 1n, data });
    expect(view.pages).toBe(3);
    const rows = [0, 1, 2]
      .flatMap((page) => elementsOf(drawPage(view, page)))
      .filter(
        ({ type, props }) => type === 'Row' && /^\d+$/u.test(String(props.label)),
      );
    expect(rows.flatMap(({ props }) => textsOf(props.children))).toStrictEqual(ids);
  });

  it('shows the end of a place that is too long', () => {
    const depth = 30;
    const types: Record<string, Json> = { ...mail.types };
    for (let level = 0; level < depth; level += 1) {
      const type = level + 1 === depth ? 'string' : `Level${level + 1}`;
      types[`Level${level}`] = [{ name: `inner${level}`, type }];
    }
    const message = Array.from({ length: depth }).reduceRight<Json>(
      (inner, _, level) => ({ [`inner${level}`]: inner }),
      'deep',
    );
    const content = draw({ ...mail, types, primaryType: 'Level0', message }, 1n);
    const texts = textsOf(content);
    const label = texts[texts.indexOf('deep') - 1] ?? '';
    expect(label).toMatch(/^… › inner.* › inner29$/u);
    expect(label.length).toBeLessThan(110);
  });

  it('does not show as part of the message what its types do not sign', () => {
    const content = draw(withMessage({ promise: 'You will get a prize.' }), 1n);
    const texts = textsOf(content);
    expect(texts[texts.indexOf(textOf('raw.title')) - 1]).not.toContain('prize');
  });
});
