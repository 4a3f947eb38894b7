// What the built snap says beside signatures in the wallet's own confirmation; one snap for all.
import type { Json } from '@metamask/utils';
import { getAddress, stringToBytes, stringToHex } from 'viem';
import type { Hex } from 'viem';

import { parseTypedData } from '../../src/eth/typed-data';
import { SignatureInsightView } from '../../src/insights/signature';
import { decodeDocument } from '../../src/review/documents';
import { getMessageDigest, listTypedDigests } from '../../src/review/screen/digests';
import { danger, info, warning } from '../../src/ui/warnings';
import { permit } from '../fixtures/trust/shapes';
import { expectSilence, read } from '../support/insights';
import type { Responding } from '../support/insights';
import { DAPP, installBench } from '../support/snap-bench';
import type { SnapBench } from '../support/snap-bench';
import { mailOf } from '../support/typed-data';
import { textOf, translate, warningsOf, writeView } from '../support/view';

const FROM: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const signIn = [
  'bank.example wants you to sign in with your Ethereum account:',
  `${getAddress(FROM)}\n\nWelcome.\n\nURI: https://bank.example`,
  'Version: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2020-01-01T00:00:00Z',
].join('\n');

let snap: SnapBench['snap'];

beforeAll(async () => {
  ({ snap } = await installBench());
});

const onTyped = async (data: object): Responding =>
  snap.onSignature({
    from: FROM,
    origin: DAPP,
    data: JSON.parse(JSON.stringify(data)) as Record<string, Json>,
    signatureMethod: 'eth_signTypedData_v4',
  });

const onMessage = async (text: string, origin = DAPP): Responding =>
  snap.onSignature({
    from: FROM,
    origin,
    data: stringToHex(text),
    signatureMethod: 'personal_sign',
  });

describe('the insight of a signature', () => {
  it('says what a permit allows', async () => {
    const value = String(2n ** 256n - 1n);
    const { content, severity } = await read(onTyped(permit({ owner: FROM, value })));
    const warnings = [info('shape.permit'), warning('typed.unlimited')];
    const typed = decodeDocument(
      parseTypedData(permit({ owner: FROM, value }), 'data'),
    );
    const digests = listTypedDigests(typed);
    const cards = { typed, account: FROM, balances: undefined } as const;
    expect({ content }).toRender(
      SignatureInsightView({ translate, warnings, cards, digests, chain: 'eip155:1' }),
    );
    expect(severity).toBeNull();
  });

  it("is critical beside another site's sign-in", async () => {
    const { content, severity } = await read(onMessage(signIn));
    const warnings = [
      danger('siwe.otherDomain', { domain: 'bank.example', origin: DAPP }),
    ];
    const digests = [getMessageDigest(stringToBytes(signIn))];
    expect({ content }).toRender(
      SignatureInsightView({ translate, warnings, digests }),
    );
    expect(severity).toBe('critical');
  });

  it.each([
    ['a message', async () => onMessage('hello')],
    [
      'a sign-in for its own site',
      async () => onMessage(signIn, 'https://bank.example'),
    ],
    ['plain typed data', async () => onTyped(mailOf(1))],
  ])('has only digests beside %s', async (_what, ask) => {
    const { content } = await read(ask());
    expect(warningsOf(content)).toStrictEqual([]);
    expect(writeView(content)).toContain(textOf('digests.title'));
  });

  it.each([
    ['types that are none', { types: 7 }],
    ['no document', {}],
    [
      'a message that its types do not describe',
      { ...mailOf(1), message: { from: 7 } },
    ],
  ])('is silent beside typed data of %s', async (_what, data) => {
    await expectSilence(onTyped(data));
  });
});
