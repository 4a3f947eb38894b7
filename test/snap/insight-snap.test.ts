/**
 * The built insight snap in the simulated wallet: its insights, and its home page.
 *
 * @jest-environment-options {"server": {"root": "packages/insight"}}
 */
import { installSnap } from '@metamask/snaps-jest';
import type { Json } from '@metamask/utils';
import { encodeFunctionData, maxUint256, parseAbi } from 'viem';
import type { Hex } from 'viem';

import { parseTypedData } from '../../src/eth/typed-data';
import { SignatureInsightView } from '../../src/insights/signature';
import { TransactionInsightView } from '../../src/insights/transaction';
import { decodeDocument } from '../../src/review/documents';
import { readCall } from '../../src/review/read';
import { listTypedDigests } from '../../src/review/screen/digests';
import { danger, info, warning } from '../../src/ui/warnings';
import { permit } from '../fixtures/trust/shapes';
import { FEE_ANSWERS } from '../support/fees';
import { expectSilence, read } from '../support/insights';
import type { Responding } from '../support/insights';
import { DAPP } from '../support/snap-bench';
import { TO } from '../support/transactions';
import { mailOf } from '../support/typed-data';
import {
  severitiesOf,
  textOf,
  translate,
  warningsOf,
  writeView,
} from '../support/view';

const FROM: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

/** Lido's stETH. */
const STETH = '0xae7ab96520de3a18e5e111b5eaab095312d7fe84';

/** Made to be taken for USDC. */
const LOOK_ALIKE = '0xa0b8bad0000000000000000000000000000ceb48';

let snap: Awaited<ReturnType<typeof installSnap>>;

const node = { isDown: false };

beforeAll(async () => {
  snap = await installSnap();
  const answers: Record<string, Json> = { ...FEE_ANSWERS, eth_chainId: '0x1' };
  snap.mockJsonRpc(({ method }) => {
    if (!method.startsWith('eth_')) return undefined;
    if (node.isDown) throw new Error('The node is down.');
    return answers[method];
  });
});

afterEach(() => {
  node.isDown = false;
});

const onTransaction = async (fields: object = {}): Responding =>
  snap.onTransaction({
    from: FROM,
    to: TO,
    value: '0x0',
    data: '0x',
    nonce: '0x1',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
    origin: DAPP,
    ...fields,
  });

const onTyped = async (data: object): Responding =>
  snap.onSignature({
    from: FROM,
    origin: DAPP,
    data: JSON.parse(JSON.stringify(data)) as Record<string, Json>,
    signatureMethod: 'eth_signTypedData_v4',
  });

describe('the insight of a transaction', () => {
  // First, while nothing is known of the market.
  it('warns where no node answers', async () => {
    node.isDown = true;
    const data = encodeFunctionData({
      abi: parseAbi(['function setApprovalForAll(address operator, bool approved)']),
      args: [TO.toLowerCase() as Hex, true],
    });
    const { content, severity } = await read(onTransaction({ data }));
    const operator = danger('alert.operator', { operator: TO.toLowerCase() as Hex });
    const shown = {
      translate,
      chain: 'eip155:1',
      warnings: [operator, info('insight.unchecked')],
      call: readCall({ from: FROM, to: TO, value: 0n, data }),
      fees: undefined,
    };
    expect({ content }).toRender(TransactionInsightView(shown));
    expect(severity).toBe('critical');
  });

  it('compares its fees with the market', async () => {
    const { content } = await read(onTransaction());
    const level = textOf('level.high');
    expect(writeView(content)).toContain(textOf('insight.fee.at', { level }));
  });

  it('warns of an address that resembles a well-known contract', async () => {
    const { content, severity } = await read(onTransaction({ to: LOOK_ALIKE }));
    expect(severitiesOf(content)).toContain('danger');
    expect(severity).toBe('critical');
  });

  it('describes a call of the registry, and warns first', async () => {
    const data = encodeFunctionData({
      abi: parseAbi(['function approve(address _spender, uint256 _amount)']),
      args: [TO, maxUint256],
    });
    const { content } = await read(onTransaction({ to: STETH, data }));
    const text = writeView(content);
    const parts = [
      warningsOf(content)[0] ?? '',
      'Approve stETH',
      textOf('fields.all'),
      `${textOf('field.contractBy')}\nLido DAO`,
      textOf('insight.fee'),
    ];
    const places = parts.map((part) => text.indexOf(part));
    expect(places).toStrictEqual(places.filter((at) => at >= 0).sort((a, b) => a - b));
  });

  it.each([
    ['a sender that is none', { from: '0x12' }],
    ['a recipient that is none', { to: '0x12' }],
  ])('is silent beside %s', async (_what, fields) => {
    await expectSilence(onTransaction(fields));
  });
});

describe('the insight of a signature', () => {
  it('says what a permit allows', async () => {
    const value = String(2n ** 256n - 1n);
    const { content } = await read(onTyped(permit({ owner: FROM, value })));
    const warnings = [info('shape.permit'), warning('typed.unlimited')];
    const typed = decodeDocument(
      parseTypedData(permit({ owner: FROM, value }), 'data'),
    );
    const digests = listTypedDigests(typed);
    const cards = { typed, account: FROM, balances: undefined } as const;
    expect({ content }).toRender(
      SignatureInsightView({ translate, warnings, cards, digests, chain: 'eip155:1' }),
    );
  });

  it('describes a document of the registry', async () => {
    const document = permit({ owner: FROM });
    const domain = { ...document.domain, version: '2' };
    const { content } = await read(onTyped({ ...document, domain }));
    const text = writeView(content);
    expect(text.startsWith(textOf('shape.permit'))).toBe(true);
    expect(text).toContain(`${textOf('field.contractBy')}\nUSDC`);
    expect(text).toContain('250 USDC');
  });

  it.each<[string, object]>([
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

describe('the home page', () => {
  it('says what the snap does, and draws itself without a node', async () => {
    node.isDown = true;
    const page = await snap.onHomePage();
    const text = writeView(page.getInterface().content);
    expect(text).toContain(textOf('home.insight'));
    expect(text).toContain(textOf('home.insight.noSafes'));
  });
});
