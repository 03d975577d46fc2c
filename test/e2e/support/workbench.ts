import type { BrowserContext, Locator, Page } from 'playwright-core';

/** Generous: CI's cores may be busy. */
const LIMIT_MS = Number(process.env['E2E_TIMEOUT'] ?? 60_000);

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
    await workbench.page.locator('.monaco-workbench .activitybar').waitFor();
    return workbench;
  }

  /** Opens the side bar that an icon of the activity bar stands for, `Run and Debug` for example. */
  async openSideBar(title: string): Promise<void> {
    const bar = this.page.locator('.sidebar .composite.title', { hasText: title });
    const tab = this.page.locator('.activitybar').getByRole('tab', { name: title });
    if (!(await bar.isVisible())) await tab.click(); // a click on the open one would close it
    await bar.waitFor();
  }

  /** Opens Run and Debug and the view with this title in it. */
  async openDebugView(title: string): Promise<void> {
    await this.openSideBar('Run and Debug');
    const header = this.viewHeader(title);
    await header.waitFor();
    if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
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

  /** Closes a view in the side bar down to its title line, if it is open. */
  async fold(title: string): Promise<void> {
    const header = this.viewHeader(title).first();
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
  }

  /** Presses a button in the title line of a view. */
  async viewAction(title: string, name: string): Promise<void> {
    await this.view(title).hover();
    await this.viewHeader(title).getByRole('button', { name, exact: true }).click();
  }

  /** A row of a tree in the side bar, found by its text; `within` is a view, if one view's rows are meant. */
  row(text: string | RegExp, within = this.page.locator('.sidebar')): Locator {
    return within.locator('.monaco-list-row').filter({ hasText: text });
  }

  /** The text of an empty view, with its buttons. */
  welcome(text: string | RegExp, within = this.page.locator('.sidebar')): Locator {
    return within.locator('.welcome-view-content').filter({ hasText: text });
  }

  /** Opens a closed row of a tree. */
  async expand(row: Locator): Promise<void> {
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.locator('.monaco-tl-twistie').click();
  }

  /** Presses one of the small buttons that a row shows under the mouse. */
  async inlineAction(row: Locator, name: string): Promise<void> {
    await row.hover();
    await row.getByRole('button', { name, exact: true }).click();
  }

  /** Chooses from the menu of the right mouse button. */
  async contextMenu(row: Locator, name: string): Promise<void> {
    await row.click({ button: 'right' });
    const item = this.page.locator('.monaco-menu').getByRole('menuitem', { name, exact: true });
    await item.hover();
    await this.page.waitForTimeout(200); // a menu takes no click in its first 100 ms
    await item.click();
  }

  /** Runs a command from the command palette by its whole title, `Breakpod: Refresh` for example. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.quickInput.fill(`>${title}`);
    await this.quickPick(title);
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
    await this.page.keyboard.press('Control+P');
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
}
