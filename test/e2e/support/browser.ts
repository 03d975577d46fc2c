import { type BrowserContext, chromium } from 'playwright-core';
import { findChromium } from '../../../.ci/lib/needs.ts';

/** The last one makes sure that the browser can reach nothing but this machine. */
const switches = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

/**
 * Starts the browser with a profile of its own: its cache halves the time of every window after the first. The window is
 * high because lists draw only the rows that can be seen.
 */
export function launchBrowser(profile: string): Promise<BrowserContext> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chromium or Chrome on this machine; the variable CHROMIUM can name one');
  return chromium.launchPersistentContext(profile, {
    executablePath,
    args: switches,
    viewport: { width: 1280, height: 1000 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
}
