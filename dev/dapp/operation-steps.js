// The steps of the page that concern user operations and batches of calls.
import { rpc, snap } from './wallet.js';

/** Create the steps; `known` is what the earlier ones found out. */
export function createOperationSteps(stack, scope) {
  return [
    {
      title: 'eth_prepareUserOperation',
      label: 'Prepare the user operation',
      example: ({ smart }) => ({
        account: smart?.address ?? '0x…',
        scope,
        params: [{ to: stack.recipient, value: '0x38d7ea4c68000', data: '0x' }],
      }),
      run: async (known, params) => {
        known.prepared = await snap(known, 'eth_prepareUserOperation', params);
        known.operation = await toOperation(known, stack);
        return known.prepared;
      },
    },
    {
      title: 'eth_patchUserOperation',
      label: 'Patch the user operation',
      example: ({ operation }) => [operation ?? 'Prepare one first.'],
      run: async (known, params) => {
        const patch = await snap(known, 'eth_patchUserOperation', params);
        known.operation = { ...params[0], ...patch };
        return patch;
      },
    },
    {
      title: 'eth_signUserOperation, then sent to the bundler',
      label: 'Sign and send the user operation',
      example: ({ operation }) => [operation ?? 'Prepare one first.', stack.entryPoint],
      run: async (known, params) => {
        const signature = await snap(known, 'eth_signUserOperation', params);
        const [operation, entryPoint] = params;
        const hash = await rpc(stack.bundlerUrl, 'eth_sendUserOperation', [
          { ...operation, signature },
          entryPoint,
        ]);
        return { signature, hash };
      },
    },
    {
      title: 'eth_sendUserOperation, all of it by the snap',
      label: 'Send a user operation',
      example: ({ smart }) => ({
        account: smart?.address ?? '0x…',
        scope,
        nonceKey: '0x1',
        params: [{ to: stack.recipient, value: '0x38d7ea4c68000', data: '0x' }],
      }),
      run: async (known, params) => {
        const hash = await snap(known, 'eth_sendUserOperation', params);
        const receipt = await waitFor(() =>
          snap(known, 'eth_getUserOperationReceipt', { scope, params: [hash] }),
        );
        return { hash, success: receipt.success };
      },
    },
    {
      title: 'wallet_sendCalls (EIP-5792), and wallet_getCallsStatus',
      label: 'Send two calls',
      example: ({ account }) => [
        {
          version: '2.0.0',
          from: account?.address ?? '0x…',
          chainId: `0x${stack.chainId.toString(16)}`,
          atomicRequired: false,
          calls: [
            { to: stack.recipient, value: '0x1' },
            { to: stack.recipient, value: '0x2' },
          ],
        },
      ],
      run: async (known, params) => {
        const { id } = await snap(known, 'wallet_sendCalls', params);
        return waitFor(
          () => snap(known, 'wallet_getCallsStatus', [id]),
          ({ status }) => status !== 100,
        );
      },
    },
  ];
}

async function waitFor(ask, isDone = (answer) => answer !== null) {
  for (let tries = 0; tries < 50; tries += 1) {
    const answer = await ask();
    if (isDone(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  throw new Error('It was not included in time.');
}

async function toOperation({ prepared, smart }, { chainUrl }) {
  const { callData, initCode, nonce, gasLimits, dummySignature } = prepared;
  const price = await rpc(chainUrl, 'eth_gasPrice', []);
  return {
    sender: smart.address,
    nonce,
    initCode,
    callData,
    ...gasLimits,
    maxFeePerGas: `0x${(BigInt(price) * 2n).toString(16)}`,
    maxPriorityFeePerGas: '0x3b9aca00',
    paymasterAndData: prepared.dummyPaymasterAndData,
    signature: dummySignature,
  };
}
