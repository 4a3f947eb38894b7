import { plain, toOurs } from '../../../fixtures/eth/user-operation';
import {
  SERVICE_URL,
  answer07,
  createPaymasterBench,
  packedWith,
  place07,
} from '../../../support/bundler-bench';
import { errorOf, failureOf } from '../../../support/error-of';
import { refuses } from '../../../support/fake-node';
import { without } from '../../../support/without';

const STUB = 'pm_getPaymasterStubData';
const DATA = 'pm_getPaymasterData';

describe('a paymaster that does not pay', () => {
  const ADVICE = 'Ask the paymaster, or send the operation without one.';

  it.each([
    ['policy is used up.', 'It said: policy is used up.'],
    ['', 'It did not say why.'],
  ])('is told with what it said: %j', async (message, told) => {
    const fault = { code: -32501, message, data: { policy: 1 } };
    const { paymaster } = createPaymasterBench({ [DATA]: refuses(fault) });
    const ask = (): unknown => paymaster.fetchData(toOurs(plain, '0.7'), place07);
    expect(await failureOf(ask)).toStrictEqual({
      name: 'PaymasterError',
      code: -32501,
      message: `${DATA} at ${SERVICE_URL}: the paymaster does not pay. ${told} ${ADVICE}`,
      context: { data: { policy: 1 } },
    });
    expect(await errorOf(ask)).toMatchObject({ label: `${DATA} at ${SERVICE_URL}` });
  });

  it.each<[string, '0.6' | '0.7', object]>([
    ['paymasterAndData', '0.6', {}],
    ['paymasterAndData', '0.6', { paymasterAndData: null }],
    ['paymasterAndData', '0.6', { paymasterAndData: '0x' }],
    ['paymasterAndData', '0.6', { paymasterAndData: `0x${'00'.repeat(40)}` }],
    ['paymasterAndData', '0.6', answer07],
    ['paymaster', '0.7', {}],
    ['paymaster', '0.7', { ...answer07, paymaster: null }],
    ['paymaster', '0.7', { ...answer07, paymaster: `0x${'00'.repeat(20)}` }],
    ['paymaster', '0.7', { paymasterAndData: packedWith(1n, 1n) }],
  ])(
    'is found out by an answer without %s of %s: %j',
    async (field, version, answer) => {
      const { paymaster } = createPaymasterBench({ [STUB]: answer });
      const ask = (): unknown =>
        paymaster.fetchStub(toOurs(plain, version), { version, chainId: 1n });
      expect(await failureOf(ask)).toStrictEqual({
        name: 'PaymasterError',
        code: -32000,
        message:
          `${STUB} at ${SERVICE_URL}: the paymaster does not pay. ` +
          `It answered without ${field}. ${ADVICE}`,
        context: {},
      });
    },
  );
});

describe('an answer that cannot be used', () => {
  const GAS = 'a quantity below 2^64 (hex with 0x, decimal string, or safe integer)';
  const DATA_FORM = 'at most 10000 bytes in hex (0x and an even number of digits)';

  it.each<[string, '0.6' | '0.7', object]>([
    [
      'paymasterAndData must be at least 20 bytes long',
      '0.6',
      { paymasterAndData: '0x12' },
    ],
    [
      `paymasterAndData must be ${DATA_FORM}`,
      '0.6',
      { paymasterAndData: `0x${'12'.repeat(10_001)}` },
    ],
    [
      'paymaster must be a 20-byte address in hex',
      '0.7',
      { ...answer07, paymaster: '0x12' },
    ],
    [
      `paymasterData must be ${DATA_FORM}`,
      '0.7',
      { ...answer07, paymasterData: '0x1' },
    ],
    ['paymasterData is missing', '0.7', without(answer07, 'paymasterData')],
    [
      'paymasterPostOpGasLimit is missing',
      '0.7',
      without(answer07, 'paymasterPostOpGasLimit'),
    ],
    [
      `paymasterPostOpGasLimit must be ${GAS}`,
      '0.7',
      { ...answer07, paymasterPostOpGasLimit: -1 },
    ],
    [
      `paymasterVerificationGasLimit must be ${GAS}`,
      '0.7',
      { ...answer07, paymasterVerificationGasLimit: `0x1${'0'.repeat(16)}` },
    ],
  ])('is refused: %s', async (reason, version, answer) => {
    const { paymaster } = createPaymasterBench({ [STUB]: answer });
    const ask = (): unknown =>
      paymaster.fetchStub(toOurs(plain, version), {
        version,
        chainId: 1n,
      });
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
