// Complete or red: random nested requests hide one effect that benefits an attacker; every dialog
// and insight must name the attacker outside collapsed sections, or show a danger.
import fc from 'fast-check';
import { concat, encodeAbiParameters, encodePacked, size } from 'viem';
import type { Hex } from 'viem';

import type { TypedData } from '../../src/core/typed-data';
import { readCallData } from '../../src/eth/account-calls';
import { SignatureInsightView } from '../../src/insights/signature';
import { TransactionInsightView } from '../../src/insights/transaction';
import { UserOperationConfirmation } from '../../src/operation/view';
import { decodeOperation, findOperationWarnings } from '../../src/operation/warnings';
import { findTypedWarnings } from '../../src/review/document-findings';
import { decodeDocument } from '../../src/review/documents';
import { findWarnings, findWarningsOfEach } from '../../src/review/findings';
import { readCall } from '../../src/review/read';
import { TypedDataConfirmation } from '../../src/review/screen/document';
import { TransactionConfirmation } from '../../src/transaction/view';
import { context } from '../fixtures/trust/document';
import { ACCOUNT, ATTACKER, encode, FRIEND } from '../support/judged-calls';
import type { Call } from '../support/judged-calls';
import { OPERATION } from '../support/plain-operation';
import { runs } from '../support/runs';
import { dynamic } from '../support/transaction-views';
import { severitiesOf, textsOf, translate } from '../support/view';

const SAFE: Hex = '0x5afe000000000000000000000000000000005afe';
const TOKEN: Hex = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const ROUTER: Hex = '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45';
const PERMIT2: Hex = '0x000000000022d473030f116ddee9f6b43ac78ba3';
const ZERO: Hex = `0x${'00'.repeat(20)}`;
const MULTI_SEND: Hex = '0x9641d764fc13c8b624c04430c7356c1c7c8102e2';

const call = (to: Hex, data: Hex = '0x', value = 0n): Call => ({ to, value, data });

const encodeCall = (to: Hex, signature: string, ...args: unknown[]): Call =>
  call(to, encode(signature, ...args));

const gifts = (to: Hex): Call[] => [
  call(to, '0x', 10n ** 18n),
  encodeCall(TOKEN, 'approve(address,uint256)', to, 5_000_000n),
  encodeCall(TOKEN, 'transfer(address,uint256)', to, 5_000_000n),
  encodeCall(TOKEN, 'transferFrom(address,address,uint256)', ACCOUNT, to, 7n),
  encodeCall(TOKEN, 'increaseAllowance(address,uint256)', to, 7n),
  encodeCall(ROUTER, 'setApprovalForAll(address,bool)', to, true),
  encodeCall(
    PERMIT2,
    'approve(address,address,uint160,uint48)',
    TOKEN,
    to,
    9n,
    1_800_000_000,
  ),
  encodeCall(PERMIT2, 'transferFrom((address,address,uint160,address)[])', [
    [ACCOUNT, to, 5n, TOKEN],
  ]),
  encodeCall(
    ROUTER,
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    ACCOUNT,
    to,
    [1n, 2n],
    [1n, 1n],
    '0x',
  ),
];

const attacks = [...gifts(ATTACKER), call(ATTACKER, '0x12345678')];
const honest = [
  ...gifts(FRIEND),
  call(ROUTER, encode('deposit()')),
  call(ROUTER, '0xdeadbeef'),
];

const asTuples = (calls: Call[]): [Hex, bigint, Hex][] =>
  calls.map(({ to, value, data }) => [to, value, data]);

const packed = (calls: Call[], operation = 0): Hex =>
  concat(
    calls.map(({ to, value, data }) =>
      encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [operation, to, value, BigInt(size(data)), data],
      ),
    ),
  );

const multiSend = (calls: Call[], operation?: number): Hex =>
  encode('multiSend(bytes)', packed(calls, operation));

const EXEC =
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)';
const exec = ({ to, value, data }: Call, operation = 0): Hex =>
  encode(EXEC, to, value, data, operation, 0n, 0n, 0n, ZERO, ZERO, '0x');

const mode = (kind: string): Hex => `0x${kind.padEnd(64, '0')}`;

const BATCH = 'executeBatch((address,uint256,bytes)[])';
const TUPLES = [
  {
    type: 'tuple[]',
    components: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }],
  },
] as const;

const targetsOf = (calls: Call[]) => calls.map(({ to }) => to);
const dataOf = (calls: Call[]) => calls.map(({ data }) => data);
const pairsOf = (calls: Call[]) => calls.map(({ to, data }) => [to, data]);

/** Containers for calls with values. */
const withValues: ((calls: Call[]) => Call)[] = [
  (calls) => encodeCall(SAFE, BATCH, asTuples(calls)),
  (calls) => encodeCall(SAFE, 'execute((address,uint256,bytes)[])', asTuples(calls)),
  (calls) => {
    const values = calls.map(({ value }) => value);
    const signature = 'executeBatch(address[],uint256[],bytes[])';
    return encodeCall(SAFE, signature, targetsOf(calls), values, dataOf(calls));
  },
  (calls) => {
    const tuples = calls.map(({ to, value, data }) => [to, true, value, data]);
    return encodeCall(
      ROUTER,
      'aggregate3Value((address,bool,uint256,bytes)[])',
      tuples,
    );
  },
  (calls) => call(SAFE, exec(call(MULTI_SEND, multiSend(calls)), 1)),
  (calls) => call(SAFE, exec(call(MULTI_SEND, multiSend(calls, 1)), 1)),
  (calls) => call(SAFE, exec(call(ATTACKER, multiSend(calls)), 1)),
  (calls) => {
    const signature = 'executeUserOp(address,uint256,bytes,uint8)';
    return encodeCall(SAFE, signature, MULTI_SEND, 0n, multiSend(calls), 1);
  },
  (calls) => {
    const encoded = encodeAbiParameters(TUPLES, [asTuples(calls)]);
    return encodeCall(SAFE, 'execute(bytes32,bytes)', mode('01'), encoded);
  },
  ([first = call(FRIEND), ...others]) =>
    others.length === 0
      ? encodeCall(
          SAFE,
          'execute(address,uint256,bytes)',
          first.to,
          first.value,
          first.data,
        )
      : encodeCall(SAFE, BATCH, asTuples([first, ...others])),
  ([first = call(FRIEND), ...others]) =>
    others.length === 0
      ? call(SAFE, exec(first))
      : call(SAFE, exec(call(MULTI_SEND, multiSend([first, ...others])), 1)),
];

/** Containers for calls without values. */
const withoutValues: [signature: string, toArgs: (calls: Call[]) => unknown[]][] = [
  ['aggregate((address,bytes)[])', (calls) => [pairsOf(calls)]],
  ['blockAndAggregate((address,bytes)[])', (calls) => [pairsOf(calls)]],
  ['multicall((address,bytes)[])', (calls) => [pairsOf(calls)]],
  ['tryAggregate(bool,(address,bytes)[])', (calls) => [true, pairsOf(calls)]],
  ['tryBlockAndAggregate(bool,(address,bytes)[])', (calls) => [true, pairsOf(calls)]],
  [
    'aggregate3((address,bool,bytes)[])',
    (calls) => [calls.map(({ to, data }) => [to, true, data])],
  ],
  ['multicall(address[],bytes[])', (calls) => [targetsOf(calls), dataOf(calls)]],
  ['multicall(bytes[])', (calls) => [dataOf(calls)]],
  ['multicall(uint256,bytes[])', (calls) => [1n, dataOf(calls)]],
];

const containers = [
  ...withValues.map((wrap) => ({ hasValues: true, wrap })),
  ...withoutValues.map(([signature, toArgs]) => ({
    hasValues: false,
    wrap: (calls: Call[]) => encodeCall(ROUTER, signature, ...toArgs(calls)),
  })),
];

/** A level of nesting: the container, and the calls before and after the inner one. */
const level = fc.record({
  container: fc.nat(),
  before: fc.array(fc.nat(), { maxLength: 3 }),
  after: fc.array(fc.nat(), { maxLength: 3 }),
});

const at = <Each>(all: readonly Each[], index: number): Each =>
  all[index % all.length] as Each;

const request = fc
  .record({
    attack: fc.nat(),
    levels: fc.array(level, { maxLength: 6 }),
    // Most batches are small; some have 40 or 200 other calls.
    crowd: fc.oneof(
      { weight: 19, arbitrary: fc.constant(0) },
      fc.constantFrom(40, 200),
    ),
  })
  .map(({ attack, levels, crowd }) =>
    levels.reduce<Call>(
      (inner, { container, before, after }, index) => {
        // A multicall without targets drops the inner target, so it fits only if the data names the
        // attacker.
        const attacker = ATTACKER.slice(2);
        const fitting = containers.filter(
          ({ hasValues, wrap }) =>
            (hasValues || inner.value === 0n) &&
            (inner.data.includes(attacker) || wrap([inner]).data.includes(attacker)),
        );
        const { hasValues, wrap } = at(fitting, container);
        const others = honest.filter(({ value }) => hasValues || value === 0n);
        const crowded = Array<number>(index === 0 ? crowd : 0).fill(3);
        const pick = (each: number): Call => at(others, each);
        return wrap([...[...before, ...crowded].map(pick), inner, ...after.map(pick)]);
      },
      at(attacks, attack),
    ),
  );

const CALL = [
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'data', type: 'bytes' },
];

const document = (
  primaryType: string,
  fields: { name: string; type: string }[],
  message: object,
): TypedData =>
  ({
    domain: { chainId: 1, verifyingContract: SAFE },
    primaryType,
    types: {
      EIP712Domain: [
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      [primaryType]: fields,
    },
    message,
  }) as TypedData;

const OPERATION_FIELDS = [{ name: 'callData', type: 'bytes' }];

const safeTx = ({ to, value, data }: Call) =>
  document('SafeTx', [...CALL, { name: 'operation', type: 'uint8' }], {
    to,
    value: String(value),
    data,
    operation: 0,
  });

const documents: ((inner: Call) => TypedData)[] = [
  safeTx,
  (inner) =>
    document('SafeOp', [{ name: 'safe', type: 'address' }, ...OPERATION_FIELDS], {
      safe: SAFE,
      callData: encode(
        'executeUserOp(address,uint256,bytes,uint8)',
        inner.to,
        inner.value,
        inner.data,
        0,
      ),
    }),
  ({ to, value, data }) =>
    document('ForwardRequest', [{ name: 'from', type: 'address' }, ...CALL], {
      from: ACCOUNT,
      to,
      value: String(value),
      data,
    }),
  (inner) => {
    const single = document('Execute', [{ name: 'calls', type: 'Call[]' }], {
      calls: [{ ...inner, value: String(inner.value) }],
    });
    return { ...single, types: { ...single.types, Call: CALL } };
  },
  (inner) => {
    const contents = safeTx(inner);
    return {
      ...contents,
      primaryType: 'TypedDataSign',
      types: {
        ...contents.types,
        TypedDataSign: [
          { name: 'contents', type: 'SafeTx' },
          { name: 'verifyingContract', type: 'address' },
        ],
      },
      message: { contents: contents.message, verifyingContract: SAFE },
    };
  },
];

type Drawn = { pages: unknown[] };

const frame = (page: number): object => ({
  number: 1,
  page,
  seen: new Set(),
  acknowledged: new Set(),
  changes: [],
});

type View = { pages: number; draw: (frame: never) => unknown };

const pagesOf = ({ pages, draw }: View): Drawn => ({
  pages: Array.from({ length: pages }, (_, page) => draw(frame(page) as never)),
});

const shared = {
  translate,
  origin: context.origin,
  chain: 'eip155:1',
  account: ACCOUNT,
};

function judge(inner: Call, seed: number) {
  const typed = decodeDocument(at(documents, seed)(inner));
  return { typed, warnings: findTypedWarnings(typed, context) };
}

/** Draws what the user sees of a call on each route. */
const routes = {
  transaction: (inner) => {
    const read = readCall({ from: ACCOUNT, ...inner });
    return pagesOf(
      TransactionConfirmation({
        ...shared,
        transaction: { ...dynamic, from: ACCOUNT, ...inner },
        call: read,
        warnings: findWarnings([read]),
        isNonceOpen: false,
      }),
    );
  },
  insight: (inner) => {
    const read = readCall({ from: ACCOUNT, ...inner });
    const warnings = findWarnings([read]);
    return {
      pages: [
        // MetaMask itself shows the recipient and the value.
        inner.to,
        TransactionInsightView({ ...shared, warnings, fees: undefined, call: read }),
      ],
    };
  },
  operation: (inner) => {
    const { to, value, data: inside } = inner;
    const callData = encode('execute(address,uint256,bytes)', to, value, inside);
    const operation = { ...OPERATION, callData };
    const decoded = decodeOperation(operation, (data) => readCallData('0.7', data));
    const callWarnings = findWarningsOfEach(decoded.calls ?? []);
    const facts = { version: '0.7', ofCalls: callWarnings } as const;
    const warnings = findOperationWarnings(operation, decoded, facts);
    return pagesOf(
      UserOperationConfirmation({
        ...shared,
        entryPoint: '0.7',
        operation,
        warnings,
        calls: decoded.calls,
      } as never),
    );
  },
  document: (inner, seed) => {
    const { typed, warnings } = judge(inner, seed);
    return pagesOf(TypedDataConfirmation({ ...shared, chainId: 1n, typed, warnings }));
  },
  signature: (inner, seed) => {
    const { typed, warnings } = judge(inner, seed);
    return {
      pages: [
        SignatureInsightView({ ...shared, typed, warnings }),
        // MetaMask itself shows the document's fields.
        textsOf(typed.calls.map(({ to }) => to)),
      ],
    };
  },
} satisfies Record<string, (inner: Call, seed: number) => Drawn>;

/** Lists the visible texts, including labels of collapsed sections, but not raw data. */
function visible(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (Array.isArray(content)) return content.flatMap(visible);
  const isElement =
    typeof content === 'object' && content !== null && 'props' in content;
  if (!isElement) return [];
  const { type, props } = content as { type: string; props: Record<string, unknown> };
  const { label, title, value, address, children } = props;
  if (type === 'Copyable') return [];
  if (type === 'CollapsibleSection' && props.isExpanded !== true) return visible(label);
  return [label, title, value, address, children].flatMap(visible);
}

function isCompleteOrRed({ pages }: Drawn): boolean {
  return pages.some(
    (page) =>
      severitiesOf(page).includes('danger') ||
      visible(page).some((text) =>
        text.toLowerCase().replaceAll(' ', '').includes(ATTACKER),
      ),
  );
}

describe.each(Object.entries(routes))('the %s screen of a request', (_name, draw) => {
  it('names the attacker or shows a danger', () => {
    fc.assert(
      fc.property(request, fc.nat(), (inner, seed) => {
        expect(isCompleteOrRed(draw(inner, seed))).toBe(true);
      }),
      // `npm test` runs a quarter of these.
      runs(1_600),
    );
  });
});

it('names the recipients of both tokens and ether', () => {
  const inner = call(TOKEN, encode('transfer(address,uint256)', ATTACKER, 5n), 7n);
  const { pages } = routes.transaction(inner);
  expect(visible(pages)).toEqual(
    expect.arrayContaining([
      `${translate('field.to')} (USDC)`,
      TOKEN,
      translate('field.tokensTo'),
      ATTACKER,
    ]),
  );
});

it('detects that a request does not name the attacker', () => {
  const inner = call(TOKEN, encode('approve(address,uint256)', FRIEND, 5n));
  expect(isCompleteOrRed(routes.transaction(inner))).toBe(false);
});
