// EIP-5792, version 2.0.0: capabilities, and batches of calls.
import {
  check,
  isHex,
  isObject,
  isQuantity,
  rejects,
  show,
  skip,
  toHex,
  until,
} from './expect';
import type { Call, Cases, Context } from './types';

const VERSION = '2.0.0';
const CODES = [100, 200, 400, 500, 600];
const UNKNOWN_CHAIN = '0x7fffffffffff';

type Status = Record<string, unknown> & { status: number };

let count = 0;

/** An id that no other batch of this page has. */
function createId(): string {
  count += 1;
  return `conformance-${Date.now()}-${count}`;
}

/** The params of a harmless batch: the account sends nothing to itself. */
function toParams(context: Context, more: object = {}): [Record<string, unknown>] {
  const from = context.account();
  const calls: Call[] = [{ to: from, value: '0x0' }];
  const chainId = toHex(context.chainId);
  return [{ version: VERSION, from, chainId, atomicRequired: false, calls, ...more }];
}

async function send(context: Context, more: object = {}): Promise<string> {
  const params = toParams(context, more);
  await context.user.approve('the batch');
  const answer = await context.ask('wallet_sendCalls', params);
  check(isObject(answer), `It answered ${show(answer)}, not an object.`);
  const { id } = answer;
  check(typeof id === 'string' && id !== '', `The id is ${show(id)}.`);
  return id;
}

const refuses =
  (codes: readonly number[], more: (context: Context) => object) =>
  async (context: Context): Promise<void> => {
    const params = toParams(context, more(context));
    await context.user.approve('the batch');
    await rejects(async () => context.ask('wallet_sendCalls', params), codes);
  };

function checkStatus(value: unknown, id: string, context: Context): Status {
  check(isObject(value), `It answered ${show(value)}, not an object.`);
  const { version, chainId, status, atomic } = value;
  check(version === VERSION, `version is ${show(version)}.`);
  check(value['id'] === id, `id is ${show(value['id'])}.`);
  check(chainId === toHex(context.chainId), `chainId is ${show(chainId)}.`);
  check(CODES.includes(Number(status)), `status is ${show(status)}.`);
  check(typeof status === 'number', `status is ${show(status)}, not a number.`);
  check(typeof atomic === 'boolean', `atomic is ${show(atomic)}.`);
  return { ...value, status };
}

async function waitFor(id: string, context: Context): Promise<Status> {
  let found: Status = { status: 100 };
  const isSettled = async (): Promise<boolean> => {
    const answer = await context.ask('wallet_getCallsStatus', [id]);
    found = checkStatus(answer, id, context);
    return found.status !== 100;
  };
  await until(isSettled, 'The batch was not settled', context.timeoutMs);
  check(found.status === 200, `The status is ${found.status}.`);
  return found;
}

function listReceipts(status: Status): Record<string, unknown>[] {
  const { receipts } = status;
  check(Array.isArray(receipts), `receipts is ${show(receipts)}, not a list.`);
  check(receipts.length > 0, 'There is no receipt.');
  return receipts.filter(isObject);
}

async function findCapabilities(
  context: Context,
  ...chains: readonly string[][]
): Promise<Record<string, unknown>> {
  const params = [context.account(), ...chains];
  const value = await context.ask('wallet_getCapabilities', params);
  check(isObject(value), `It answered ${show(value)}, not an object.`);
  return value;
}

/** Finds how atomic the account is; undefined if it does not say. */
async function findAtomic(context: Context): Promise<unknown> {
  const own = (await findCapabilities(context))[toHex(context.chainId)];
  const { atomic } = Object(own) as { atomic?: unknown };
  return isObject(atomic) ? atomic['status'] : atomic;
}

const isHash = (value: unknown): boolean => isHex(value, 32);

const receiptFields: Record<string, (value: unknown) => boolean> = {
  logs: Array.isArray,
  status: (value) => value === '0x1',
  blockHash: isHash,
  blockNumber: isQuantity,
  gasUsed: isQuantity,
  transactionHash: isHash,
};

export const eip5792: Cases = {
  '5792-capabilities': {
    section: 'wallet_getCapabilities',
    checks: 'Answers capabilities by hex chain id',
    run: async (context) => {
      const capabilities = await findCapabilities(context);
      const ids = Object.keys(capabilities);
      check(ids.every(isQuantity), `The chain ids are ${show(ids)}.`);
      const own = ids.includes(toHex(context.chainId)) || ids.includes('0x0');
      check(own, `The selected chain is not in ${show(ids)}.`);
      const areObjects = Object.values(capabilities).every(isObject);
      check(areObjects, `Capabilities are no objects: ${show(capabilities)}`);
    },
  },
  '5792-capabilities-chains': {
    section: 'wallet_getCapabilities',
    checks: 'Answers for the chains that are asked for alone',
    run: async (context) => {
      const wanted = toHex(context.chainId);
      const answer = await findCapabilities(context, [wanted]);
      const others = Object.keys(answer).filter((id) => id !== wanted && id !== '0x0');
      check(others.length === 0, `It answered for ${show(others)}, too.`);
    },
  },
  '5792-capabilities-4100': {
    section: 'wallet_getCapabilities',
    checks: 'Refuses an account that is not connected with 4100',
    run: async ({ ask, account }) => {
      account();
      const stranger = `0x${'00'.repeat(18)}dead`;
      await rejects(async () => ask('wallet_getCapabilities', [stranger]), [4100]);
    },
  },
  '5792-atomic': {
    section: 'atomic Capability',
    checks: 'Says whether the account is atomic: supported, ready or unsupported',
    run: async (context) => {
      const status = await findAtomic(context);
      // A capability that is missing is not supported.
      if (status === undefined) return;
      const statuses: unknown[] = ['supported', 'ready', 'unsupported'];
      check(statuses.includes(status), `atomic.status is ${show(status)}.`);
    },
  },
  '5792-send': {
    section: 'wallet_sendCalls',
    checks: 'Answers an id, by which the batch is found until it succeeds (200)',
    run: async (context) => {
      const id = await send(context);
      await waitFor(id, context);
    },
  },
  '5792-receipts': {
    section: 'wallet_getCallsStatus',
    checks: 'Answers receipts with the fields of the standard',
    run: async (context) => {
      const id = await send(context);
      for (const receipt of listReceipts(await waitFor(id, context))) {
        for (const [name, isRight] of Object.entries(receiptFields)) {
          check(isRight(receipt[name]), `${name} is ${show(receipt[name])}.`);
        }
      }
    },
  },
  '5792-logs': {
    section: 'wallet_getCallsStatus',
    checks: 'Answers the logs of the calls, with address, data and topics',
    run: async (context) => {
      const { loggingCall } = context;
      context.account();
      if (!loggingCall) return skip('The run has no call that emits a log.');
      const id = await send(context, { calls: [loggingCall] });
      const receipts = listReceipts(await waitFor(id, context));
      const logs = receipts
        .flatMap((each) => each['logs'] as unknown[])
        .filter(isObject);
      const to = loggingCall.to?.toLowerCase();
      const own = logs.find(({ address }) => String(address).toLowerCase() === to);
      check(own !== undefined, `The log is not in ${show(logs)}.`);
      const { data, topics } = own;
      check(isHex(data), `data is ${show(data)}.`);
      check(
        Array.isArray(topics) && topics.every(isHash),
        `topics is ${show(topics)}.`,
      );
    },
  },
  '5792-id': {
    section: 'wallet_sendCalls',
    checks: "Keeps the app's own id",
    run: async (context) => {
      const wanted = createId();
      const id = await send(context, { id: wanted });
      check(id === wanted, `It answered ${show(id)}.`);
      await waitFor(id, context);
    },
  },
  '5792-5720': {
    section: 'Error Codes',
    checks: 'Refuses an id that was used before with 5720',
    run: async (context) => {
      const id = await send(context, { id: createId() });
      await refuses([5720], () => ({ id }))(context);
      await waitFor(id, context);
    },
  },
  '5792-5730': {
    section: 'Error Codes',
    checks: 'Answers 5730 for an id that is not known',
    run: async ({ ask, account }) => {
      account();
      await rejects(async () => ask('wallet_getCallsStatus', [createId()]), [5730]);
    },
  },
  '5792-5700': {
    section: 'Error Codes',
    checks: 'Refuses an unknown capability with 5700',
    run: refuses([5700], () => ({ capabilities: { conformanceUnknown: {} } })),
  },
  '5792-5700-call': {
    section: 'Error Codes',
    checks: 'Refuses an unknown capability of a single call with 5700',
    run: refuses([5700], ({ account }) => ({
      calls: [{ to: account(), capabilities: { conformanceUnknown: {} } }],
    })),
  },
  '5792-optional': {
    section: 'wallet_sendCalls',
    checks: 'Ignores an unknown capability that is optional',
    run: async (context) => {
      const capabilities = { conformanceUnknown: { optional: true } };
      await waitFor(await send(context, { capabilities }), context);
    },
  },
  '5792-5710': {
    section: 'Error Codes',
    checks: 'Refuses a chain that it does not know with 5710',
    run: refuses([5710], () => ({ chainId: UNKNOWN_CHAIN })),
  },
  '5792-atomicRequired': {
    section: 'wallet_sendCalls',
    checks: 'Keeps atomicRequired: one receipt, or 5760 where calls cannot be atomic',
    run: async (context) => {
      const status = await findAtomic(context);
      const call: Call = { to: context.account(), value: '0x0' };
      const more = { atomicRequired: true, calls: [call, call] };
      if (status !== 'supported' && status !== 'ready') {
        await refuses([5760], () => more)(context);
        return;
      }
      const found = await waitFor(await send(context, more), context);
      check(found['atomic'] === true, `atomic is ${show(found['atomic'])}.`);
      const { length } = listReceipts(found);
      check(length === 1, `There are ${length} receipts of an atomic batch.`);
    },
  },
  '5792-atomicRequired-missing': {
    section: 'wallet_sendCalls',
    checks: 'Refuses a batch without atomicRequired with -32602',
    run: refuses([-32602], () => ({ atomicRequired: undefined })),
  },
  '5792-version': {
    section: 'wallet_sendCalls',
    checks: 'Refuses a version that does not exist',
    run: refuses([], () => ({ version: '99.0.0' })),
  },
  '5792-4001': {
    section: 'Error Codes',
    checks: 'Answers 4001 if the user refuses, and knows no such batch',
    run: async (context) => {
      const { ask, user } = context;
      const id = createId();
      const params = toParams(context, { id });
      await user.reject('the batch');
      await rejects(async () => ask('wallet_sendCalls', params), [4001]);
      await rejects(async () => ask('wallet_getCallsStatus', [id]), [5730]);
    },
  },
  '5792-parallel': {
    section: 'wallet_sendCalls',
    checks: 'Carries out two batches of an account at once',
    run: async (context) => {
      const ids = await Promise.all([send(context), send(context)]);
      check(ids[0] !== ids[1], 'Both have the same id.');
      for (const id of ids) await waitFor(id, context);
    },
  },
  '5792-reopened': {
    section: 'wallet_getCallsStatus',
    checks: 'Knows a batch after its page was closed',
    run: async (context) => {
      const { reopen } = context;
      context.account();
      if (!reopen) return skip('The run cannot open the page again.');
      const id = await send(context);
      const provider = reopen();
      const ask: Context['ask'] = async (method, params) =>
        provider.request({ method, params });
      await waitFor(id, { ...context, ask });
    },
  },
  '5792-show': {
    section: 'wallet_showCallsStatus',
    checks: 'Shows a batch, and answers 5730 for one that is not known',
    run: async (context) => {
      const { ask, user } = context;
      const id = await send(context);
      await user.approve('the status of the batch');
      await ask('wallet_showCallsStatus', [id]);
      await rejects(async () => ask('wallet_showCallsStatus', [createId()]), [5730]);
    },
  },
};
