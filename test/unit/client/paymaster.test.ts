// A paymaster's service (ERC-7677): what it is asked, what it promises, and that it does not pay.
import {
  createHttpTransport,
  createPaymasterClient,
  createPaymasterEndpoint,
} from '../../../packages/client/src';
import { toBundlerForm } from '../../../packages/client/src/bundler-schema';
import { entryPoints, entryPointVersions } from '../../../src/eth/user-operation';
import { plain, sponsored, toOurs } from '../../fixtures/eth/user-operation';
import {
  answer06,
  answer07,
  createPaymasterBench,
  packedWith,
  place06,
  place07,
  SERVICE_URL,
} from '../../support/bundler-bench';
import { errorOf, failureOf } from '../../support/error-of';
import {
  answering,
  breaking,
  createFakeNetwork,
  inTurn,
} from '../../support/fake-fetch';
import { refuses } from '../../support/fake-node';
import { without } from '../../support/without';

const STUB = 'pm_getPaymasterStubData';
const DATA = 'pm_getPaymasterData';
const ADVICE = 'Ask the paymaster, or send the operation without one.';

const fetchStub = async (
  answer: object,
  version: '0.6' | '0.7' | '0.8' | '0.9' = '0.7',
): Promise<object> =>
  createPaymasterBench({ [STUB]: answer }).paymaster.fetchStub(toOurs(plain, version), {
    version,
    chainId: 5n,
  });

describe("a paymaster's service", () => {
  it.each(entryPointVersions)(
    'is asked in the form of %s, unsigned',
    async (version) => {
      const { paymaster, node } = createPaymasterBench({ [STUB]: {} });
      const operation = toOurs({ ...sponsored, signature: '0x12' }, version);
      const context = { policyId: 'mine' };
      await errorOf(async () =>
        paymaster.fetchStub(operation, { version, chainId: 31n, context }),
      );
      const form = without(toBundlerForm(operation, version), 'signature');
      const params = [form, entryPoints[version].entryPoint, '0x1f', context];
      expect(node.calls).toMatchObject([{ method: STUB, params }]);
      expect(node.calls[0]?.params).toStrictEqual(params);
    },
  );

  it('is asked with an empty context if there is none', async () => {
    const { paymaster, node } = createPaymasterBench({ [DATA]: answer07 });
    await paymaster.fetchData(toOurs(plain, '0.7'), place07);
    expect(node.calls[0]?.params.slice(2)).toStrictEqual(['0x5', {}]);
    expect(paymaster.label).toBe(SERVICE_URL);
  });

  it('is asked again after the connection broke', async () => {
    const network = createFakeNetwork();
    network.serve(
      SERVICE_URL,
      inTurn(breaking, answering({ id: 1, result: answer06 })),
    );
    const services = { sleep: async () => Promise.resolve() };
    const endpoint = createPaymasterEndpoint(SERVICE_URL);
    const transport = createHttpTransport(endpoint, { ...network, services });
    const paymaster = createPaymasterClient(transport);
    const { isFinal } = await paymaster.fetchData(toOurs(plain, '0.6'), place06);
    expect([isFinal, network.sent.length]).toStrictEqual([true, 2]);
  });
});

describe('a sponsorship', () => {
  const packed = { paymasterAndData: packedWith(30_000n, 1n), isFinal: false };

  it('of EntryPoint 0.6 is the field as it comes, of later ones packed', async () => {
    expect(await fetchStub(answer06, '0.6')).toStrictEqual({
      ...answer06,
      isFinal: false,
    });
    expect(await fetchStub(answer07, '0.7')).toStrictEqual(packed);
    expect(await fetchStub(answer07, '0.8')).toStrictEqual(packed);
  });

  it.each<[object, object]>([
    [{ isFinal: true }, { isFinal: true }],
    [{ isFinal: null }, {}],
    [{ sponsor: { name: 'Ann' } }, { sponsor: { name: 'Ann' } }],
    [{ sponsor: { name: 'Ann', icon: 'data:,' } }, { sponsor: { name: 'Ann' } }],
    [{ sponsor: { name: 'x'.repeat(101) } }, {}],
    [{ sponsor: null }, {}],
    [{ callGasLimit: 1, verificationGasLimit: '0x2' }, {}],
    // The service leaves it to the bundler's estimate, which begins with something.
    [
      { paymasterVerificationGasLimit: null },
      { paymasterAndData: packedWith(300_000n, 1n), isCheckGasAssumed: true },
    ],
  ])('is read with %j', async (fields, expected) => {
    expect(await fetchStub({ ...answer07, ...fields })).toStrictEqual({
      ...packed,
      ...expected,
    });
  });

  it('has the limits of the stub where the final answer leaves them out', async () => {
    const { paymaster, paymasterData } = answer07;
    const { paymaster: client } = createPaymasterBench({
      [DATA]: { paymaster, paymasterData },
    });
    const { paymasterAndData } = await client.fetchData(
      toOurs(sponsored, '0.7'),
      place07,
    );
    expect(paymasterAndData).toBe(packedWith(60_000n, 0n));
  });
});

describe('a paymaster that does not pay', () => {
  it.each([
    ['policy is used up.', 'It said: policy is used up.'],
    ['', 'It did not say why.'],
  ])('is reported with its message: %j', async (message, reason) => {
    const fault = { code: -32501, message, data: { policy: 1 } };
    const { paymaster } = createPaymasterBench({ [DATA]: refuses(fault) });
    const ask = async () => paymaster.fetchData(toOurs(plain, '0.7'), place07);
    expect(await failureOf(ask)).toStrictEqual({
      name: 'PaymasterError',
      code: -32501,
      message: `${DATA} at ${SERVICE_URL}: the paymaster does not pay. ${reason} ${ADVICE}`,
      context: { data: { policy: 1 } },
    });
    expect(await errorOf(ask)).toMatchObject({ label: `${DATA} at ${SERVICE_URL}` });
  });

  it.each<['0.6' | '0.7', object]>([
    ['0.6', {}],
    ['0.6', { paymasterAndData: null }],
    ['0.6', { paymasterAndData: '0x' }],
    ['0.6', { paymasterAndData: `0x${'00'.repeat(40)}` }],
    ['0.6', answer07],
    ['0.7', {}],
    ['0.7', { ...answer07, paymaster: null }],
    ['0.7', { ...answer07, paymaster: `0x${'00'.repeat(20)}` }],
    ['0.7', { paymasterAndData: packedWith(1n, 1n) }],
  ])('is found out by an answer of %s: %j', async (version, answer) => {
    const field = version === '0.6' ? 'paymasterAndData' : 'paymaster';
    expect(await failureOf(async () => fetchStub(answer, version))).toStrictEqual({
      name: 'PaymasterError',
      code: -32000,
      message:
        `${STUB} at ${SERVICE_URL}: the paymaster does not pay. ` +
        `It answered without ${field}. ${ADVICE}`,
      context: {},
    });
  });
});

describe('an answer that cannot be used', () => {
  const GAS = 'a quantity below 2^64 (hex with 0x, decimal string, or safe integer)';
  const BYTES = 'at most 10000 bytes in hex (0x and an even number of digits)';
  const long = `0x${'12'.repeat(10_001)}`;
  const huge = `0x1${'0'.repeat(16)}`;

  it.each<[string, object]>([
    ['paymaster must be a 20-byte address in hex', { paymaster: '0x12' }],
    [`paymasterData must be ${BYTES}`, { paymasterData: '0x1' }],
    ['paymasterData is missing', { paymasterData: undefined }],
    ['paymasterPostOpGasLimit is missing', { paymasterPostOpGasLimit: null }],
    [`paymasterPostOpGasLimit must be ${GAS}`, { paymasterPostOpGasLimit: -1 }],
    [
      `paymasterVerificationGasLimit must be ${GAS}`,
      { paymasterVerificationGasLimit: huge },
    ],
    ['paymasterAndData must be at least 20 bytes long', { paymasterAndData: '0x12' }],
    [`paymasterAndData must be ${BYTES}`, { paymasterAndData: long }],
  ])('is refused: %s', async (reason, fields) => {
    const version = 'paymasterAndData' in fields ? '0.6' : '0.7';
    const ask = async (): Promise<unknown> =>
      fetchStub({ ...answer07, ...fields }, version);
    expect(await failureOf(ask)).toStrictEqual({
      name: 'InvalidResponseError',
      code: -32002,
      message:
        `${STUB} at ${SERVICE_URL} gave an invalid answer: result.${reason}. ` +
        'Check that it is the right server.',
      context: {},
    });
  });
});
