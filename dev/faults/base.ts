// What every flow begins with: a snap that knows its servers, and an account with money that
// a site was granted.
import { parseEther } from 'viem';

import { createAccount, openCase } from './bench';
import type { Servers } from './bench';
import type { Base } from './sweep';

/** Set a wallet up, and take what is on its disk then. */
export async function setUp(servers: Servers): Promise<Base> {
  const bench = await openCase({ servers });
  const { companion, dapp, get, node, wallet } = bench;
  try {
    const { url, apiKey, apiKeySecret } = servers.service;
    const row = { chainId: 31_337, rpcUrl: url, gasBaseUrl: url, apiKey, apiKeySecret };
    const bundler = servers.bundler ? { bundlerUrl: servers.bundler.url } : {};
    await get(companion.snap('tollkeeper_setChain', [{ ...row, ...bundler }]));
    const kept = await createAccount(bench);
    await node.setBalance({ address: kept.address, value: parseEther('1000') });
    await get(dapp.snap('eth_requestAccounts'));
    return { disk: await wallet.disk(), kept };
  } finally {
    await bench.end();
  }
}
