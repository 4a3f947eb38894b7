/** @jsxImportSource react */
// React and wagmi: connect, sign a message, disconnect. The dapp stays connected after a reload.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { JSX } from 'react';
import { createRoot } from 'react-dom/client';
import { tollkeeper } from 'tollkeeper-snap/wagmi';
import {
  createConfig,
  http,
  useConnect,
  useConnection,
  useConnectors,
  useDisconnect,
  useSignMessage,
  WagmiProvider,
} from 'wagmi';
import { sepolia } from 'wagmi/chains';

const config = createConfig({
  chains: [sepolia],
  connectors: [tollkeeper()],
  transports: { [sepolia.id]: http() },
});

function Account(): JSX.Element {
  const { address, status } = useConnection();
  const connectors = useConnectors();
  const connect = useConnect();
  const disconnect = useDisconnect();
  const sign = useSignMessage();
  if (status !== 'connected') {
    return (
      <>
        {connectors.map((connector) => (
          <button key={connector.uid} onClick={() => connect.mutate({ connector })}>
            {connector.name}
          </button>
        ))}
        <p>{connect.error?.message}</p>
      </>
    );
  }
  return (
    <>
      <p>{address}</p>
      <button onClick={() => sign.mutate({ message: 'Hello from wagmi' })}>Sign</button>
      <button onClick={() => disconnect.mutate()}>Disconnect</button>
      <output>{sign.data ?? sign.error?.message}</output>
    </>
  );
}

const root = document.querySelector('main');
if (root) {
  createRoot(root).render(
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <Account />
      </QueryClientProvider>
    </WagmiProvider>,
  );
}
