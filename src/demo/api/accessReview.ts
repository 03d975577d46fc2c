import type { IncomingMessage } from 'node:http';
import { bodyOf, parseJson } from './bodies.ts';
import { isProtobuf, messageOf, protobufFields, textOf } from './protobuf.ts';
import { isAllowed, type Attributes, type User } from './users.ts';

type Asked = Partial<Record<'namespace' | 'verb' | 'group' | 'resource' | 'subresource' | 'name', string>>;

/** Answers a SelfSubjectAccessReview, which is what `kubectl auth can-i` sends. */
export async function accessReview(user: User, request: IncomingMessage): Promise<object> {
  const body = await bodyOf(request);
  const asked = isProtobuf(body) ? readProtobuf(body) : readJson(body);
  const head = { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', metadata: {} };
  return { ...head, spec: { resourceAttributes: asked }, status: { allowed: isAllowed(user, attributesOf(asked)) } };
}

function attributesOf({ verb = '', group = '', resource = '', subresource, namespace }: Asked): Attributes {
  return {
    verb,
    group,
    resource,
    ...(subresource ? { subresource } : {}),
    ...(namespace ? { namespace } : {}),
  };
}

const readJson = (body: Buffer): Asked =>
  (parseJson(body) as { spec?: { resourceAttributes?: Asked } }).spec?.resourceAttributes ?? {};

/** kubectl's typed clients send protobuf; field numbers are those of `k8s.io/api/authorization/v1/generated.proto`. */
function readProtobuf(body: Buffer): Asked {
  const review = protobufFields(messageOf(body));
  const spec = protobufFields(review.get(2));
  const attributes = protobufFields(spec.get(1));
  const text = (field: number) => textOf(attributes.get(field));
  return { namespace: text(1), verb: text(2), group: text(3), resource: text(5), subresource: text(6), name: text(7) };
}
