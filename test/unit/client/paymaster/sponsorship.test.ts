import { plain, sponsored, toOurs } from '../../../fixtures/eth/user-operation';
import {
  answer06,
  answer07,
  createPaymasterBench,
  packedWith,
  place06,
  place07,
} from '../../../support/bundler-bench';
import { without } from '../../../support/without';

const STUB = 'pm_getPaymasterStubData';
const DATA = 'pm_getPaymasterData';

describe('a sponsorship', () => {
  it('of EntryPoint 0.6 is the field as it comes', async () => {
    const { paymaster } = createPaymasterBench({ [STUB]: answer06 });
    expect(await paymaster.fetchStub(toOurs(plain, '0.6'), place06)).toStrictEqual({
      ...answer06,
      isFinal: false,
    });
  });

  it.each(['0.7', '0.8'] as const)('of EntryPoint %s is packed', async (version) => {
    const { paymaster } = createPaymasterBench({ [STUB]: answer07 });
    const place = { ...place07, version };
    expect(await paymaster.fetchStub(toOurs(plain, version), place)).toStrictEqual({
      paymasterAndData: packedWith(30_000n, 1n),
      isFinal: false,
    });
  });

  it('has the limits of the stub where the final answer leaves them out', async () => {
    const { paymaster } = createPaymasterBench({
      [DATA]: without(
        answer07,
        'paymasterVerificationGasLimit',
        'paymasterPostOpGasLimit',
      ),
    });
    const { paymasterAndData } = await paymaster.fetchData(
      toOurs(sponsored, '0.7'),
      place07,
    );
    expect(paymasterAndData).toBe(packedWith(60_000n, 0n));
  });

  it('has a limit to begin with where the stub leaves it to the estimate', async () => {
    const { paymaster } = createPaymasterBench({
      [STUB]: without(answer07, 'paymasterVerificationGasLimit'),
    });
    expect(await paymaster.fetchStub(toOurs(plain, '0.7'), place07)).toStrictEqual({
      paymasterAndData: packedWith(150_000n, 1n),
      isCheckGasAssumed: true,
      isFinal: false,
    });
  });

  it.each<[string, object, object]>([
    ['that is final', { isFinal: true }, { isFinal: true }],
    ['that is not final', { isFinal: null }, {}],
    ['of somebody', { sponsor: { name: 'Ann' } }, { sponsor: { name: 'Ann' } }],
    [
      'of somebody with a face',
      { sponsor: { name: 'Ann', icon: 'data:image/png;base64,AA==' } },
      { sponsor: { name: 'Ann', icon: 'data:image/png;base64,AA==' } },
    ],
    [
      'of somebody whose face is elsewhere',
      { sponsor: { name: 'Ann', icon: 'https://a.example/i.png' } },
      { sponsor: { name: 'Ann' } },
    ],
    [
      'of somebody with too large a face',
      { sponsor: { name: 'Ann', icon: `data:image/png,${'x'.repeat(100_000)}` } },
      { sponsor: { name: 'Ann' } },
    ],
    ['of somebody with a long name', { sponsor: { name: 'x'.repeat(101) } }, {}],
    ['of nobody', { sponsor: null }, {}],
    [
      'with gas limits that are not its own',
      { callGasLimit: 1, verificationGasLimit: '0x2', preVerificationGas: '3' },
      {},
    ],
  ])('is read for one %s', async (_what, fields, expected) => {
    const { paymaster } = createPaymasterBench({ [STUB]: { ...answer07, ...fields } });
    expect(await paymaster.fetchStub(toOurs(plain, '0.7'), place07)).toStrictEqual({
      paymasterAndData: packedWith(30_000n, 1n),
      isFinal: false,
      ...expected,
    });
  });
});
