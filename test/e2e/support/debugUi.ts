import type { Locator, Page } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** What a person does while debugging in one window: breakpoints, the toolbar, the call stack. */
export class DebugUi {
  private readonly workbench: Workbench;
  private readonly page: Page;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
    this.page = workbench.page;
  }

  get breakpoints(): Locator {
    return this.page.locator('.editor-instance .glyph-margin-widgets .cgmr[class*="codicon-debug-breakpoint"]');
  }

  /** Sets a breakpoint in the open editor as a person does, by a click beside the line's number. */
  async setBreakpoint(line: number): Promise<void> {
    const before = await this.breakpoints.count();
    await this.clickBeside(line);
    await this.breakpoints.nth(before).waitFor();
  }

  async removeBreakpoint(line: number): Promise<void> {
    const before = await this.breakpoints.count();
    await this.clickBeside(line);
    await this.breakpoints.nth(before - 1).waitFor({ state: 'detached' });
  }

  /** A button of the debug toolbar; `/^Continue/` for example. */
  button(name: RegExp): Locator {
    return this.page.locator('.debug-toolbar a.action-label').and(this.page.getByRole('button', { name }));
  }

  async resume(): Promise<void> {
    await this.button(/^Continue/).click();
  }

  async disconnect(): Promise<void> {
    await this.button(/^Disconnect/).click();
  }

  /** Waits until no session is left. */
  async isOver(): Promise<void> {
    await this.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  }

  /** Waits until the debugger has stopped at a line: the marked line in the editor and the frame in the call stack. */
  async stopped(file: string, line: number): Promise<void> {
    await this.workbench.activeTab(file).waitFor();
    await this.page.locator('.debug-top-stack-frame-line').first().waitFor();
    const frame = this.frame(new RegExp(`${file.split('/').at(-1)}\\s*${line}(:|$)`));
    // Of several threads, the one that has stopped is not always opened by itself.
    const closed = this.page
      .locator('.debug-call-stack .monaco-list-row[aria-expanded="false"]')
      .filter({ hasText: /paused on/i })
      .first();
    await frame.or(closed).first().waitFor();
    for (let tries = 0; tries < 20 && !(await frame.isVisible()); tries++) {
      await closed
        .locator('.monaco-tl-twistie')
        .click({ timeout: 500 })
        .catch(() => undefined);
      await frame.waitFor({ timeout: 1000 }).catch(() => undefined);
    }
    await frame.waitFor();
  }

  /** A frame of the call stack by its text: the function, then `file line:column`. */
  frame(text: string | RegExp): Locator {
    return this.page.locator('.debug-call-stack .stack-frame').filter({ hasText: text }).first();
  }

  /** A session or thread in the call stack. */
  session(text: string | RegExp): Locator {
    return this.page.locator('.debug-call-stack .monaco-list-row').filter({ hasText: text });
  }

  private async clickBeside(line: number): Promise<void> {
    const number = this.page
      .locator('.editor-instance .margin-view-overlays .line-numbers')
      .filter({ hasText: new RegExp(`^${line}$`) });
    await number.waitFor();
    const box = await number.boundingBox();
    if (!box) throw new Error(`line ${line} is not to be seen in the editor`);
    await this.page.mouse.click(box.x - 8, box.y + box.height / 2);
  }
}
