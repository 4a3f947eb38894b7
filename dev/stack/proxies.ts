// The creation code that the snap reads from its file.
import json from '../../src/accounts/proxies.json' with { type: 'json' };
import type { ProxyCode } from '../../src/eth/smart-account';

export const proxies = json as ProxyCode;
