import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Locator, Page } from 'playwright-core';

/** Generous: CI's cores may be busy. */
const LIMIT_MS = Number(process.env['E2E_TIMEOUT'] ?? 60_000);

/** One try of something that a redraw may undo; short, because it is tried again. */
const TRY_MS = 5000;

/** How long what was done may take to be seen before it is taken for lost. */
const EFFECT_MS = 15_000;

/** How long a page may take to close. */
const CLOSE_MS = 15_000;

const isOutside = (url: string): boolean => /^(https?|wss?):/.test(url) && new URL(url).hostname !== '127.0.0.1';

/** One window of VS Code as a person uses it. Waits are Playwright's own: each action waits until it can be done. */
export class Workbench {
  readonly page: Page;
  /** What the window wrote to its console as errors. */
  readonly errors: string[] = [];
  /** Addresses outside this machine that the window asked for; always empty. */
  readonly outside: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(LIMIT_MS);
    page.on('console', message => message.type() === 'error' && this.errors.push(message.text().slice(0, 400)));
    page.on('pageerror', error => this.errors.push(`page error: ${error.message}`));
    page.on('request', request => isOutside(request.url()) && this.outside.push(request.url()));
  }

  static async open(context: BrowserContext, url: string): Promise<Workbench> {
    const workbench = new Workbench(await context.newPage());
    await workbench.page.goto(url, { waitUntil: 'commit' });
    await workbench.page.locator('.monaco-workbench .activitybar').waitFor({ timeout: 2 * LIMIT_MS }); // loads 19 MB
    return workbench;
  }

  /** Closes the window. A browser that does not say that it has is not waited for: it ends with the file. */
  async close(): Promise<void> {
    await Promise.race([this.page.close(), sleep(CLOSE_MS)]);
  }

  /**
   * Does something until it has had its effect, because a busy window loses a click or a key now and then, and a redraw
   * undoes a hover. `act` must do no harm when the effect is only late: it is called again.
   */
  private async until(what: string, isDone: () => Promise<boolean>, act: () => Promise<unknown>): Promise<void> {
    let problem: unknown;
    for (const limit = Date.now() + LIMIT_MS; Date.now() < limit;) {
      if (await isDone()) return;
      await act().catch((error: unknown) => (problem = error));
    }
    if (!(await isDone())) throw new Error(`${what}: not done within ${LIMIT_MS} ms`, { cause: problem });
  }

  private async setExpanded(what: string, one: Locator, isExpanded: boolean, handle = one): Promise<void> {
    const hasState = async (state: boolean) => (await one.getAttribute('aria-expanded')) === String(state);
    await this.until(
      what,
      () => hasState(isExpanded),
      async () => {
        if (await hasState(!isExpanded)) await handle.click({ timeout: TRY_MS });
        for (const limit = Date.now() + TRY_MS; Date.now() < limit && !(await hasState(isExpanded));)
          await this.page.waitForTimeout(50);
      },
    );
  }

  /** Opens the side bar that an icon of the activity bar stands for, `Run and Debug` for example. */
  async openSideBar(title: string): Promise<void> {
    const bar = this.page.locator('.sidebar .composite.title', { hasText: title });
    const tab = this.page.locator('.activitybar').getByRole('tab', { name: title });
    await this.until(
      `open ${title}`,
      () => bar.isVisible(),
      async () => {
        await tab.click({ timeout: TRY_MS });
        await bar.waitFor({ timeout: TRY_MS }); // a second click would close it
      },
    );
  }

  /** Opens Run and Debug and the view with this title in it. */
  async openDebugView(title: string): Promise<void> {
    await this.openSideBar('Run and Debug');
    await this.setExpanded(`open ${title}`, this.viewHeader(title), true);
  }

  /** The title line of a view in the side bar. */
  viewHeader(title: string): Locator {
    return this.page.locator('.sidebar .pane-header').filter({ hasText: title });
  }

  /** A view in the side bar with everything in it. */
  view(title: string): Locator {
    const header = this.page.locator('.pane-header').filter({ hasText: title }); // found inside the pane: no `.sidebar` here
    return this.page.locator('.sidebar .pane').filter({ has: header });
  }

  /** Closes a view in the side bar down to its title line, which makes room for the others. */
  async fold(title: string): Promise<void> {
    await this.setExpanded(`fold ${title}`, this.viewHeader(title).first(), false);
  }

  /** Presses a button in the title line of a view. */
  async viewAction(title: string, name: string): Promise<void> {
    await this.hoverAndClick(this.view(title), this.viewHeader(title).getByRole('button', { name, exact: true }));
  }

  private async hoverAndClick(place: Locator, button: Locator): Promise<void> {
    let isClicked = false;
    await this.until(
      'press a button that shows under the mouse',
      () => Promise.resolve(isClicked),
      async () => {
        await place.hover({ timeout: TRY_MS });
        await button.click({ timeout: TRY_MS });
        isClicked = true;
      },
    );
  }

  /** A row of a tree in the side bar, found by its text; `within` is a view, if one view's rows are meant. */
  row(text: string | RegExp, within = this.page.locator('.sidebar')): Locator {
    return within.locator('.monaco-list-row').filter({ hasText: text });
  }

  /** The text of an empty view, with its buttons. */
  welcome(text: string | RegExp, within = this.page.locator('.sidebar')): Locator {
    return within.locator('.welcome-view-content').filter({ hasText: text });
  }

  /** Opens a closed row of a tree, and waits until it can be opened. */
  async expand(row: Locator): Promise<void> {
    await this.setExpanded('open a row', row, true, row.locator('.monaco-tl-twistie'));
  }

  /** Closes a row of a tree, so that the rows below it come in sight. */
  async collapse(row: Locator): Promise<void> {
    await this.setExpanded('close a row', row, false, row.locator('.monaco-tl-twistie'));
  }

  /** Clicks on a row whose text says what the click changes, `/web.*ready/` for example, until it says it no more. */
  async press(row: Locator): Promise<void> {
    await this.untilGone('press a row', row, () => row.click({ timeout: TRY_MS }));
  }

  /**
   * Does something until a row's text no longer fits. VS Code forgets the rows of a part of a tree while it asks for them
   * again: a click at that moment leads nowhere, and they may be away for a moment.
   */
  async untilGone(what: string, row: Locator, act: () => Promise<unknown>): Promise<void> {
    let isTried = false;
    const isGone = async () => {
      if (!isTried || (await row.isVisible())) return false;
      const isBack = row.waitFor({ timeout: 500 }).then(() => true);
      return !(await isBack.catch(() => false));
    };
    await row.waitFor(); // its container may be starting
    await this.until(what, isGone, async () => {
      await row.waitFor({ timeout: TRY_MS });
      isTried = true; // also when Playwright gives up: the click may have come through
      await act();
      await row.waitFor({ state: 'hidden', timeout: EFFECT_MS });
    });
  }

  /** Waits for a row of a view; a tree draws only what is in sight, so it is looked for by the mouse wheel, too. */
  async show(row: Locator, view: Locator): Promise<void> {
    let step = 66; // three rows
    await this.until(
      'bring a row in sight',
      () => row.isVisible(),
      async () => {
        await row.waitFor({ timeout: 300 }).catch(() => undefined);
        if (await row.isVisible()) return;
        const before = await view.locator('.monaco-list-row').first().getAttribute('data-index');
        await view.locator('.monaco-list').hover({ timeout: TRY_MS });
        await this.page.mouse.wheel(0, step);
        await this.page.waitForTimeout(100);
        if (before === (await view.locator('.monaco-list-row').first().getAttribute('data-index'))) step = -step;
      },
    );
  }

  /** Presses one of the small buttons that a row shows under the mouse, until the row's text says another state. */
  async inlineAction(row: Locator, name: string): Promise<void> {
    const button = row.getByRole('button', { name, exact: true });
    await this.untilGone(`press ${name}`, row, async () => {
      await row.hover({ timeout: TRY_MS });
      await button.click({ timeout: TRY_MS });
    });
  }

  /** Chooses from the menu of the right mouse button. */
  async contextMenu(row: Locator, name: string): Promise<void> {
    const item = this.page.locator('.monaco-menu').getByRole('menuitem', { name, exact: true });
    let isChosen = false;
    await this.until(
      `choose ${name} from a menu`,
      () => Promise.resolve(isChosen),
      async () => {
        if (!(await item.isVisible())) await row.click({ button: 'right', timeout: TRY_MS });
        await item.hover({ timeout: TRY_MS });
        await this.page.waitForTimeout(200); // a menu takes no click in its first 100 ms
        await item.click({ timeout: TRY_MS });
        isChosen = true;
      },
    );
  }

  /** Runs a command from the command palette by its whole title, `Breakpod: Refresh` for example. */
  async command(title: string): Promise<void> {
    const entry = this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
    let isTaken = false;
    await this.until(
      `run ${title}`,
      async () => isTaken && !(await entry.isVisible()),
      async () => {
        await this.openQuickInput('F1');
        await this.quickInput.fill(`>${title}`, { timeout: TRY_MS });
        await entry.waitFor({ timeout: TRY_MS });
        isTaken = true;
        await entry.click({ timeout: TRY_MS });
        await entry.waitFor({ state: 'hidden', timeout: TRY_MS });
      },
    );
  }

  private async openQuickInput(key: string): Promise<void> {
    await this.until(
      `open the list that ${key} opens`,
      () => this.quickInput.isVisible(),
      async () => {
        await this.page.keyboard.press(key);
        await this.quickInput.waitFor({ timeout: TRY_MS });
      },
    );
  }

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget input[type="text"]');
  }

  /** Takes an entry of the list that is open at the top of the window. */
  async quickPick(text: string | RegExp): Promise<void> {
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first().click();
  }

  /** Answers an input box. */
  async answer(value: string): Promise<void> {
    await this.quickInput.fill(value);
    await this.page.keyboard.press('Enter');
  }

  async openFile(name: string): Promise<void> {
    await this.openQuickInput('Control+P');
    await this.quickInput.fill(name);
    await this.quickPick(name.split('/').at(-1)!);
    await this.activeTab(name).waitFor();
  }

  /** The tab of the editor that is in front, when it shows this file. */
  activeTab(name: string): Locator {
    return this.page.locator('.tab.active').filter({ hasText: name.split('/').at(-1)! });
  }

  dialog(text: string | RegExp): Locator {
    return this.page.locator('.monaco-dialog-box').filter({ hasText: text });
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text });
  }

  /** An entry of the status bar. */
  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.statusbar .statusbar-item').filter({ hasText: text });
  }

  /** Lines of the output that is shown in the panel. */
  outputLine(text: string | RegExp): Locator {
    return this.page.locator('.panel .view-line').filter({ hasText: text });
  }

  /** What a person would read in the window, line by line: where only text is kept of a failed test. */
  async visibleText(): Promise<readonly string[]> {
    const places = [
      '.sidebar .pane-header, .sidebar .monaco-list-row, .sidebar .welcome-view-content',
      '.notifications-toasts .notification-list-item, .monaco-dialog-box, .quick-input-widget',
      '.tab.active, .debug-toolbar, .statusbar-item, .panel .view-line',
    ];
    const texts = await Promise.all(places.map(place => this.page.locator(place).evaluateAll(textsOf)));
    return texts.flat();
  }
}

/** The part of the browser's `Element` that is used here: the tests are compiled without the browser's types. */
interface DrawnElement {
  readonly className: string;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly height: number };
}

/** Runs in the browser. */
const textsOf = (elements: readonly DrawnElement[]): string[] =>
  elements
    .filter(element => element.getBoundingClientRect().height > 0)
    .map(element => {
      const state = element.getAttribute('aria-expanded');
      const kind = element.className.split(' ')[0] ?? '';
      return `${kind}${state === null ? '' : ` (expanded: ${state})`}: ${(element.textContent ?? '').trim()}`;
    });
