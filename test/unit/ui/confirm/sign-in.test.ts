import type { SiweMessage } from '../../../../src/eth/siwe';
import { SignIn } from '../../../../src/ui/confirm/sign-in';
import { toShownTime } from '../../../../src/ui/format';
import { toFieldPairs } from '../../../support/field-pairs';
import { textOf, textsOf, translate } from '../../../support/view';

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

const NOW = 1_700_000_000_000;

const message: SiweMessage = {
  scheme: undefined,
  domain: 'app.example',
  address: ADDRESS,
  statement: undefined,
  uri: 'https://app.example/login',
  version: '1',
  chainId: 137n,
  nonce: 'k13wuyv6db6cz',
  issuedAt: NOW,
  expirationTime: undefined,
  notBefore: undefined,
  requestId: undefined,
  resources: [],
};

const draw = (changes: Partial<SiweMessage> = {}): unknown =>
  SignIn({ translate, message: { ...message, ...changes } });

const plain = [
  [textOf('siwe.domain'), 'app.example'],
  [textOf('siwe.address'), ADDRESS],
  [textOf('siwe.uri'), 'https://app.example/login'],
  [textOf('siwe.version'), '1'],
  [textOf('siwe.chain'), 'Polygon (eip155:137)'],
  [textOf('siwe.nonce'), 'k13wuyv6db6cz'],
  [textOf('siwe.issuedAt'), toShownTime(NOW, translate)],
];

describe('a sign-in', () => {
  it('is shown field by field', () => {
    expect(toFieldPairs(draw())).toStrictEqual(plain);
  });

  it('is shown with all that it may say', () => {
    const content = draw({
      scheme: 'https',
      statement: 'I accept.\u202e',
      expirationTime: NOW + 3_600_000,
      notBefore: NOW + 60_000,
      requestId: '7',
      resources: ['https://app.example/terms'],
    });
    expect(toFieldPairs(content)).toStrictEqual([
      [textOf('siwe.domain'), 'https://app.example'],
      ...plain.slice(1),
      [textOf('siwe.expirationTime'), toShownTime(NOW + 3_600_000, translate)],
      [textOf('siwe.notBefore'), toShownTime(NOW + 60_000, translate)],
      [textOf('siwe.requestId'), '7'],
      [textOf('siwe.resource'), 'https://app.example/terms'],
    ]);
    expect(textsOf(content)).toContain(String.raw`I accept.\u{202e}`);
  });

  it('names ten resources, and how many more there are', () => {
    const resources = Array.from({ length: 12 }, (_, index) => `ipfs://${index}`);
    const content = draw({ resources });
    expect(toFieldPairs(content).slice(plain.length)).toStrictEqual(
      resources.slice(0, 10).map((each) => [textOf('siwe.resource'), each]),
    );
    expect(textsOf(content).at(-1)).toBe(textOf('list.more', { count: '2' }));
  });
});
