import assert from 'node:assert/strict';
import test from 'node:test';
import { leasesIn } from '../../../src/cluster/pods/leases.ts';

const pod = { pod: 'web-7d9c-x1', podUid: '0a1b2c3d-0000-4000-8000-000000000001' };
const lease = (holderIdentity: unknown, spec: object = { leaseDurationSeconds: 30 }) => ({
  metadata: { name: 'leader' },
  spec: { holderIdentity, ...spec },
});

const cases: readonly { name: string; item: object; want: number | undefined }[] = [
  { name: 'name and UUID, as controller-runtime has it', item: lease('web-7d9c-x1_6f1d8a52'), want: 30 },
  { name: 'the name alone', item: lease('web-7d9c-x1'), want: 30 },
  { name: 'name and process', item: lease('web-7d9c-x1:1'), want: 30 },
  { name: 'the UID of the pod', item: lease(`replica/${pod.podUid}`), want: 30 },
  { name: 'no duration', item: lease('web-7d9c-x1', {}), want: 15 },
  { name: 'another pod whose name begins so', item: lease('web-7d9c-x12_6f1d8a52'), want: undefined },
  { name: 'another pod of the workload', item: lease('web-7d9c-y2_6f1d8a52'), want: undefined },
  { name: 'nobody', item: lease(''), want: undefined },
  { name: 'null, after a clean end', item: lease(null), want: undefined },
  { name: 'nonsense', item: { metadata: 7, spec: [] }, want: undefined },
];
for (const { name, item, want } of cases)
  test(`lease held by: ${name}`, () => {
    const found = leasesIn([item] as never, pod);
    assert.deepEqual(found, want === undefined ? [] : [{ name: 'leader', seconds: want }]);
  });
