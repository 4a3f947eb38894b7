// RainbowKit lists Tollkeeper among the installed wallets (EIP-6963).
import '@rainbow-me/rainbowkit/styles.css';
import { ConnectButton, RainbowKitProvider } from '@rainbow-me/rainbowkit';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { announce, createProvider } from 'tollkeeper-snap/provider';
import { createConfig, http, useAccount, WagmiProvider } from 'wagmi';
import { sepolia } from 'wagmi/chains';

announce(createProvider());

const config = createConfig({
  chains: [sepolia],
  transports: { [sepolia.id]: http() },
});

function Account() {
  return <output>{useAccount().address}</output>;
}

createRoot(document.querySelector('main')!).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <RainbowKitProvider>
        <ConnectButton />
        <Account />
      </RainbowKitProvider>
    </QueryClientProvider>
  </WagmiProvider>,
);
