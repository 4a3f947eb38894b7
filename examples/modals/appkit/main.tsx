// Reown AppKit lists Tollkeeper among the installed wallets (EIP-6963).
import { createAppKit } from '@reown/appkit/react';
import { WagmiAdapter } from '@reown/appkit-adapter-wagmi';
import { sepolia } from '@reown/appkit/networks';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { announce, createProvider } from 'tollkeeper-snap/provider';
import { useAccount, WagmiProvider } from 'wagmi';

announce(createProvider());

// Replace this with your project id from Reown's dashboard.
const projectId = '00000000000000000000000000000000';
const adapter = new WagmiAdapter({ networks: [sepolia], projectId });
const metadata = { name: 'Example', description: '', url: location.origin, icons: [] };
createAppKit({ adapters: [adapter], networks: [sepolia], projectId, metadata });

function Account() {
  return <output>{useAccount().address}</output>;
}

createRoot(document.querySelector('main')!).render(
  <WagmiProvider config={adapter.wagmiConfig}>
    <QueryClientProvider client={new QueryClient()}>
      <appkit-button />
      <Account />
    </QueryClientProvider>
  </WagmiProvider>,
);
