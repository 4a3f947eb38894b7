// The creation code of account proxies, which the snap reads from a shipped file.
import json from '../../src/accounts/proxies.json' with { type: 'json' };
import type { ProxyCode } from '../../src/eth/smart-account';

export const proxies = json as ProxyCode;
