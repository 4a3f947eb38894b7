import { parseSiweMessage } from 'viem/siwe';

import { parseSiwe, resemblesSiwe } from '../../../src/eth/siwe';
import { signIn } from '../../fixtures/trust/messages';

const full = signIn({
  scheme: 'https',
  domain: 'app.example:8443',
  expirationTime: new Date('2030-01-01T00:00:00.000Z'),
  notBefore: new Date('2020-01-01T00:00:00.000Z'),
  requestId: 'a-b_7',
  resources: ['https://app.example/a', 'ipfs://bafy'],
});

const toMs = (date: Date | undefined): number | undefined => date?.getTime();

describe('parseSiwe', () => {
  it.each([signIn(), full])(
    'reads what viem writes as viem reads it (case %#)',
    (text) => {
      const { chainId, issuedAt, expirationTime, notBefore, ...rest } =
        parseSiweMessage(text);
      expect(parseSiwe(text)).toStrictEqual({
        scheme: undefined,
        requestId: undefined,
        resources: [],
        ...rest,
        chainId: BigInt(chainId ?? 0),
        issuedAt: toMs(issuedAt),
        expirationTime: toMs(expirationTime),
        notBefore: toMs(notBefore),
      });
    },
  );

  it.each(['\n', '\n\n'])('reads one without a statement, with %j', (lines) => {
    const text = signIn().replace('\n\nSign in to Example.\n\n', `\n${lines}`);
    expect(parseSiwe(text)).toHaveProperty('statement', undefined);
  });

  it.each([
    ['something in front', `Hi! ${signIn()}`],
    ['something behind', `${signIn()}\nmore`],
    ['user information in the domain', signIn().replace('app.', 'app@')],
    ['an address with a wrong checksum', signIn().replace('0xf39F', '0xF39F')],
    ['another version', signIn().replace('Version: 1', 'Version: 2')],
    ['a short nonce', signIn().replace(/Nonce: .*/u, 'Nonce: 1')],
    ['no time', signIn().replace(/Issued At: .*/u, 'Issued At: today')],
    [
      'fields in another order',
      signIn().replace(/(Version: 1)\n(Chain ID: 1)/u, '$2\n$1'),
    ],
    ['a URI that is none', signIn().replace('URI: https:', 'URI: ')],
    ['carriage returns', signIn().replaceAll('\n', '\r\n')],
  ])('does not read one with %s, and knows it for one', (_what, text) => {
    expect(parseSiwe(text)).toBeUndefined();
    expect(resemblesSiwe(text)).toBe(true);
  });

  it('takes no other text for one', () => {
    expect(resemblesSiwe('Sign in with your account')).toBe(false);
    expect(parseSiwe('Sign in with your account')).toBeUndefined();
  });
});
