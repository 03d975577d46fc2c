// Runs inside the extension host, started by VS Code itself (`extensionTestsPath`): the API alone, no user interface.
import { appendFileSync } from 'node:fs';
import { activation } from './activation.ts';
import { attach } from './attach.ts';
import type { Result } from './cases.ts';
import { launches } from './launch.ts';
import { launchFile } from './launchFile.ts';
import { recipes } from './recipes.ts';

/** VS Code calls this. Results go to the file HOST_RESULTS, a line of JSON each. */
export async function run(): Promise<void> {
  for (const [name, test] of Object.entries({ ...activation, ...attach, ...recipes, ...launchFile, ...launches })) {
    const result = await resultOf(name, test);
    appendFileSync(process.env['HOST_RESULTS']!, `${JSON.stringify(result)}\n`);
  }
}

async function resultOf(name: string, test: () => Promise<void> | void): Promise<Result> {
  try {
    await test();
    return { name };
  } catch (error) {
    return { name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
