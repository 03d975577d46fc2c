import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ApiRow, BreakpodApi } from '../../src/shell/api.ts';
import { until } from './cases.ts';

/** Breakpod, as VS Code has it. */
export function extension(): vscode.Extension<BreakpodApi> {
  const found = vscode.extensions.getExtension<BreakpodApi>('breakpod.breakpod');
  assert.ok(found, 'Breakpod is installed');
  return found;
}

/** Waits for the row of a workload's container in this state. */
export async function rowOf(workload: string, state: ApiRow['state']): Promise<ApiRow> {
  const api = await extension().activate();
  const find = () => api.rows().find(row => row.workload === workload && row.state === state);
  const rows = () => api.rows().map(row => `${row.workload} ${row.state}${row.failure ? ` (${row.failure})` : ''}`);
  return until(`${workload} ${state}`, find).catch((error: Error) => {
    throw new Error(`${error.message}; there are: ${rows().join(', ')}`);
  });
}
