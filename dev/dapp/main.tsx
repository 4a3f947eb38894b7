/** @jsxImportSource preact */
// The page's entry: what it is configured with, the provider, the first drawing.
import { render } from 'preact';

import { createProvider } from '../../src/provider';
import { App } from './app';
import { loadConfig } from './config';

const root = document.querySelector('#page');
const config = await loadConfig();
const { snapId, version } = config;
if (root) {
  const provider = createProvider({ snapId, version });
  render(<App config={config} provider={provider} />, root);
}
