// Complete or red: of random nested requests with one effect for an attacker at a random place, every
// dialog and every insight names the attacker, outside of folds, or shows a danger.
import fc from 'fast-check';
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  size,
} from 'viem';
import type { Hex } from 'viem';

import { readCallData } from '../../src/eth/account-calls';
import type { TypedData } from '../../src/eth/typed-data';
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
import { OPERATION } from '../support/plain-operation';
import { runs } from '../support/runs';
import { dynamic } from '../support/transaction-views';
import { toViemAbi } from '../support/viem-abi';
import { elementsOf, textsOf, translate } from '../support/view';

const ACCOUNT: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const ATTACKER: Hex = '0xbad0000000000000000000000000000000000bad';
const SAFE: Hex = '0x5afe000000000000000000000000000000005afe';
const TOKEN: Hex = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const ROUTER: Hex = '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45';
const FRIEND: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const PERMIT2: Hex = '0x000000000022d473030f116ddee9f6b43ac78ba3';
const ZERO: Hex = `0x${'00'.repeat(20)}`;
const MULTI_SEND: Hex = '0x9641d764fc13c8b624c04430c7356c1c7c8102e2';

type Call = { to: Hex; value: bigint; data: Hex };

const abis = new Map<string, ReturnType<typeof toViemAbi>>();

function encode(signature: string, ...args: unknown[]): Hex {
  const abi = abis.get(signature) ?? toViemAbi(signature);
  abis.set(signature, abi);
  return encodeFunctionData({ abi, args });
}

const call = (to: Hex, data: Hex = '0x', value = 0n): Call => ({ to, value, data });

/** What gives something to an address. */
const gifts = (to: Hex): Call[] => [
  call(to, '0x', 10n ** 18n),
  call(TOKEN, encode('approve(address,uint256)', to, 5_000_000n)),
  call(TOKEN, encode('transfer(address,uint256)', to, 5_000_000n)),
  call(TOKEN, encode('transferFrom(address,address,uint256)', ACCOUNT, to, 7n)),
  call(TOKEN, encode('increaseAllowance(address,uint256)', to, 7n)),
  call(ROUTER, encode('setApprovalForAll(address,bool)', to, true)),
  call(
    PERMIT2,
    encode('approve(address,address,uint160,uint48)', TOKEN, to, 9n, 1_800_000_000),
  ),
  call(
    PERMIT2,
    encode('transferFrom((address,address,uint160,address)[])', [
      [ACCOUNT, to, 5n, TOKEN],
    ]),
  ),
  call(
    ROUTER,
    encode(
      'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
      ...[ACCOUNT, to, [1n, 2n], [1n, 1n], '0x'],
    ),
  ),
];

const plants = [...gifts(ATTACKER), call(ATTACKER, '0x12345678')];
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

/** Ways to put calls into one; those without a value take what has none. */
const containers: { hasValues: boolean; wrap: (calls: Call[]) => Call }[] = [
  ...(
    [
      (calls) =>
        call(SAFE, encode('executeBatch((address,uint256,bytes)[])', asTuples(calls))),
      (calls) =>
        call(SAFE, encode('execute((address,uint256,bytes)[])', asTuples(calls))),
      (calls) =>
        call(
          SAFE,
          encode(
            'executeBatch(address[],uint256[],bytes[])',
            calls.map(({ to }) => to),
            calls.map(({ value }) => value),
            calls.map(({ data }) => data),
          ),
        ),
      (calls) =>
        call(
          ROUTER,
          encode(
            'aggregate3Value((address,bool,uint256,bytes)[])',
            calls.map(({ to, value, data }) => [to, true, value, data]),
          ),
        ),
      (calls) => call(SAFE, exec(call(MULTI_SEND, multiSend(calls)), 1)),
      (calls) => call(SAFE, exec(call(MULTI_SEND, multiSend(calls, 1)), 1)),
      (calls) => call(SAFE, exec(call(ATTACKER, multiSend(calls)), 1)),
      (calls) =>
        call(
          SAFE,
          encode(
            'executeUserOp(address,uint256,bytes,uint8)',
            MULTI_SEND,
            0n,
            multiSend(calls),
            1,
          ),
        ),
      (calls) =>
        call(
          SAFE,
          encode(
            'execute(bytes32,bytes)',
            mode('01'),
            encodeAbiParameters(
              [
                {
                  type: 'tuple[]',
                  components: [
                    { type: 'address' },
                    { type: 'uint256' },
                    { type: 'bytes' },
                  ],
                },
              ] as never,
              [asTuples(calls)] as never,
            ),
          ),
        ),
      ([first = call(FRIEND), ...others]) =>
        call(
          SAFE,
          others.length === 0
            ? encode(
                'execute(address,uint256,bytes)',
                first.to,
                first.value,
                first.data,
              )
            : encode(
                'executeBatch((address,uint256,bytes)[])',
                asTuples([first, ...others]),
              ),
        ),
      ([first = call(FRIEND), ...others]) =>
        call(
          SAFE,
          others.length === 0
            ? exec(first)
            : exec(call(MULTI_SEND, multiSend([first, ...others])), 1),
        ),
    ] satisfies ((calls: Call[]) => Call)[]
  ).map((wrap) => ({ hasValues: true, wrap })),
  ...(
    [
      'aggregate((address,bytes)[])',
      'blockAndAggregate((address,bytes)[])',
      'multicall((address,bytes)[])',
    ] as const
  ).map((signature) => ({
    hasValues: false,
    wrap: (calls: Call[]) =>
      call(
        ROUTER,
        encode(
          signature,
          calls.map(({ to, data }) => [to, data]),
        ),
      ),
  })),
  ...(['tryAggregate', 'tryBlockAndAggregate'] as const).map((name) => ({
    hasValues: false,
    wrap: (calls: Call[]) =>
      call(
        ROUTER,
        encode(
          `${name}(bool,(address,bytes)[])`,
          true,
          calls.map(({ to, data }) => [to, data]),
        ),
      ),
  })),
  {
    hasValues: false,
    wrap: (calls) =>
      call(
        ROUTER,
        encode(
          'aggregate3((address,bool,bytes)[])',
          calls.map(({ to, data }) => [to, true, data]),
        ),
      ),
  },
  {
    hasValues: false,
    wrap: (calls) =>
      call(
        ROUTER,
        encode(
          'multicall(address[],bytes[])',
          calls.map(({ to }) => to),
          calls.map(({ data }) => data),
        ),
      ),
  },
  {
    hasValues: false,
    wrap: (calls) =>
      call(
        ROUTER,
        encode(
          'multicall(bytes[])',
          calls.map(({ data }) => data),
        ),
      ),
  },
  {
    hasValues: false,
    wrap: (calls) =>
      call(
        ROUTER,
        encode(
          'multicall(uint256,bytes[])',
          1n,
          calls.map(({ data }) => data),
        ),
      ),
  },
];

/** Where a call lies: among others, in which container, on each level. */
const level = fc.record({
  container: fc.nat(),
  before: fc.array(fc.nat(), { maxLength: 3 }),
  after: fc.array(fc.nat(), { maxLength: 3 }),
});

const at = <Each>(all: readonly Each[], index: number): Each =>
  all[index % all.length] as Each;

const request = fc
  .record({
    plant: fc.nat(),
    levels: fc.array(level, { maxLength: 6 }),
    // Most lie among few others, and some among two hundred.
    crowd: fc.oneof(
      { weight: 19, arbitrary: fc.constant(0) },
      fc.constantFrom(40, 200),
    ),
  })
  .map(({ plant, levels, crowd }) =>
    levels.reduce<Call>(
      (inner, { container, before, after }, index) => {
        // A multicall of data alone names no targets: the attacker has to be in the data.
        const attacker = ATTACKER.slice(2);
        const fitting = containers.filter(
          ({ hasValues, wrap }) =>
            (hasValues || inner.value === 0n) &&
            (inner.data.includes(attacker) || wrap([inner]).data.includes(attacker)),
        );
        const { hasValues, wrap } = at(fitting, container);
        const others = honest.filter(({ value }) => hasValues || value === 0n);
        const crowded =
          index === 0 ? [...before, ...Array<number>(crowd).fill(3)] : before;
        const calls = [
          ...crowded.map((each) => at(others, each)),
          inner,
          ...after.map((each) => at(others, each)),
        ];
        return wrap(calls);
      },
      at(plants, plant),
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

/** Documents that make a call. */
const documents: ((inner: Call) => TypedData)[] = [
  ({ to, value, data }) =>
    document('SafeTx', [...CALL, { name: 'operation', type: 'uint8' }], {
      to,
      value: String(value),
      data,
      operation: 0,
    }),
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
  ({ to, value, data }) => {
    const contents = document(
      'SafeTx',
      [...CALL, { name: 'operation', type: 'uint8' }],
      {
        to,
        value: String(value),
        data,
        operation: 0,
      },
    );
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

const pagesOf = ({
  pages,
  draw,
}: {
  pages: number;
  draw: (frame: never) => unknown;
}): Drawn => ({
  pages: Array.from({ length: pages }, (_, page) => draw(frame(page) as never)),
});

const context = {
  origin: 'https://app.example',
  account: ACCOUNT,
  chains: [1n],
  now: 1_700_000_000_000,
  own: [ACCOUNT],
  known: [],
  operations: [],
};

const shared = {
  translate,
  origin: context.origin,
  chain: 'eip155:1',
  account: ACCOUNT,
};

/** What a person sees of a call, by each route. */
const routes = {
  transaction: (inner) => {
    const read = readCall({ from: ACCOUNT, ...inner });
    const transaction = { ...dynamic, from: ACCOUNT, ...inner };
    const title = 'transaction.title' as const;
    const warnings = findWarnings([read]);
    return pagesOf(
      TransactionConfirmation({
        ...shared,
        ...{ title, transaction, call: read, warnings, isNonceOpen: false },
      }),
    );
  },
  insight: (inner) => {
    const read = readCall({ from: ACCOUNT, ...inner });
    const warnings = findWarnings([read]);
    return {
      pages: [
        // MetaMask shows the recipient and the value itself.
        inner.to,
        TransactionInsightView({ ...shared, warnings, fees: undefined, call: read }),
      ],
    };
  },
  operation: (inner) => {
    const callData = encode(
      'execute(address,uint256,bytes)',
      inner.to,
      inner.value,
      inner.data,
    );
    const operation = { ...OPERATION, callData };
    const decoded = decodeOperation(operation, (data) => readCallData('0.7', data));
    const ofCalls = findWarningsOfEach(decoded.calls ?? []);
    const facts = { version: '0.7', ofCalls } as const;
    const warnings = findOperationWarnings(operation, decoded, facts);
    return pagesOf(
      UserOperationConfirmation({
        ...shared,
        ...{ title: 'userOperation.send', entryPoint: '0.7', operation, warnings },
        calls: decoded.calls,
      } as never),
    );
  },
  document: (inner, seed) => {
    const typed = decodeDocument(at(documents, seed)(inner));
    const warnings = findTypedWarnings(typed, context);
    return pagesOf(TypedDataConfirmation({ ...shared, chainId: 1n, typed, warnings }));
  },
  signature: (inner, seed) => {
    const typed = decodeDocument(at(documents, seed)(inner));
    const warnings = findTypedWarnings(typed, context);
    const { calls } = typed;
    return {
      pages: [
        SignatureInsightView({ ...shared, warnings, calls }),
        // MetaMask shows the document's own fields itself.
        textsOf(typed.calls.map(({ to }) => to)),
      ],
    };
  },
} satisfies Record<string, (inner: Call, seed: number) => Drawn>;

/** What stands outside of folds and raw data. */
function visible(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (Array.isArray(content)) return content.flatMap(visible);
  const isElement =
    typeof content === 'object' && content !== null && 'props' in content;
  if (!isElement) return [];
  const { type, props } = content as { type: string; props: Record<string, unknown> };
  if (type === 'CollapsibleSection' || type === 'Copyable') return [];
  const { label, title, value, address, children } = props;
  return [label, title, value, address, children].flatMap(visible);
}

function isCompleteOrRed({ pages }: Drawn): boolean {
  const isRed = pages.some((page) =>
    elementsOf(page).some(
      ({ type, props }) => type === 'Banner' && props.severity === 'danger',
    ),
  );
  return (
    isRed ||
    pages.some((page) =>
      visible(page).some((text) => text.toLowerCase().includes(ATTACKER)),
    )
  );
}

describe.each(Object.entries(routes))('a request as %s', (_name, draw) => {
  it('names who gets something, or is red', () => {
    fc.assert(
      fc.property(request, fc.nat(), (inner, seed) => {
        expect(isCompleteOrRed(draw(inner, seed))).toBe(true);
      }),
      // A quarter of them in `npm test`.
      runs(1_600),
    );
  });
});

it('names who gets tokens beside who gets coins', () => {
  const inner = call(TOKEN, encode('transfer(address,uint256)', ATTACKER, 5n), 7n);
  const { pages } = routes.transaction(inner);
  expect(visible(pages)).toEqual(
    expect.arrayContaining([
      ...[`${translate('field.to')} (USDC)`, TOKEN],
      ...[translate('field.tokensTo'), ATTACKER],
    ]),
  );
});

it('notices what is left out', () => {
  const inner = call(TOKEN, encode('approve(address,uint256)', FRIEND, 5n));
  expect(isCompleteOrRed(routes.transaction(inner))).toBe(false);
});
