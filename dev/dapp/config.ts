// What the page is configured with: `stack.json` beside it, which npm start serves with the
// addresses of everything that it runs. A deployed page may have one with servers of its own.
import { version } from '../../package.json';

/** Where things are. What is absent is not offered. */
export type PageConfig = {
  snapId: string;
  /** Which versions of the snap the page works with, as the provider takes it. */
  version: string;
  chainId?: number;
  /** A node of development: money can be given there. */
  chainUrl?: string;
  /** Gas API and JSON-RPC API. */
  service?: { url: string; wsUrl?: string; apiKey?: string; apiKeySecret?: string };
  bundlerUrl?: string;
  paymasterUrl?: string;
  /** EntryPoint 0.6. */
  entryPoint?: string;
  /** EntryPoints by version. */
  entryPoints?: Record<'0.6' | '0.7' | '0.8', string>;
  /** Whom examples pay. */
  recipient?: string;
};

const deployed: PageConfig = {
  snapId: 'npm:tollkeeper-snap',
  version: `^${version}`,
};

/** Load it; a page without the file is a deployed one. */
export async function loadConfig(): Promise<PageConfig> {
  try {
    const response = await fetch('./stack.json');
    if (!response.ok) return deployed;
    return { ...deployed, ...((await response.json()) as Partial<PageConfig>) };
  } catch {
    return deployed;
  }
}
