// The command line of each daemon.
import { join } from 'node:path';
import { kubeconfigOf } from './kubeconfig.ts';
import { bin } from './paths.ts';
import type { Cluster } from './state.ts';
import { ISSUER } from './token.ts';

export type DaemonName = keyof typeof components;

export const components = {
  etcd: ({ work, etcd }: Cluster): string[] => [
    etcd === 'old' ? '/usr/bin/etcd' : bin('etcd'),
    `--data-dir=${work}/etcd`,
    '--listen-client-urls=http://127.0.0.1:2379',
    '--advertise-client-urls=http://127.0.0.1:2379',
    '--listen-peer-urls=http://127.0.0.1:2380',
    '--unsafe-no-fsync', // the data need not outlive the machine
  ],

  registry: ({ work }: Cluster): string[] => ['docker-registry', 'serve', `${work}/registry.yml`],

  containerd: ({ work }: Cluster): string[] => ['containerd', '--config', `${work}/containerd.toml`],

  'kube-apiserver': ({ work, nodeIp, compaction }: Cluster): string[] => [
    bin('kube-apiserver'),
    '--etcd-servers=http://127.0.0.1:2379',
    ...(compaction ? ['--etcd-compaction-interval=5s'] : []),
    '--bind-address=0.0.0.0',
    '--secure-port=6443',
    `--advertise-address=${nodeIp}`,
    ...certificate(work, 'kube-apiserver'),
    `--client-ca-file=${work}/pki/ca.crt`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--allow-privileged=true',
    '--service-cluster-ip-range=10.96.0.0/24',
    '--endpoint-reconciler-type=none',
    // Without it, an ending API server waits 60 s for open watches, which nobody ends.
    '--shutdown-watch-termination-grace-period=2s',
    `--service-account-issuer=${ISSUER}`,
    `--service-account-key-file=${work}/pki/sa.pub`,
    `--service-account-signing-key-file=${work}/pki/sa.key`,
    `--kubelet-client-certificate=${work}/pki/kubelet-client.crt`,
    `--kubelet-client-key=${work}/pki/kubelet-client.key`,
    `--kubelet-certificate-authority=${work}/pki/ca.crt`,
    '--kubelet-preferred-address-types=InternalIP',
  ],

  'kube-controller-manager': (cluster: Cluster): string[] => [
    bin('kube-controller-manager'),
    ...controller(cluster, 'kube-controller-manager'),
    `--service-account-private-key-file=${cluster.work}/pki/sa.key`,
    `--root-ca-file=${cluster.work}/pki/ca.crt`,
    '--use-service-account-credentials=true',
  ],

  'kube-scheduler': (cluster: Cluster): string[] => [bin('kube-scheduler'), ...controller(cluster, 'kube-scheduler')],

  kubelet: (cluster: Cluster): string[] => [
    bin('kubelet'),
    `--config=${cluster.work}/kubelet.yaml`,
    `--kubeconfig=${kubeconfigOf(cluster, 'kubelet')}`,
    `--root-dir=${cluster.work}/kubelet`,
    '--hostname-override=node1',
    `--node-ip=${cluster.nodeIp}`, // never one of the loopback: the kubelet refuses it
    '--vmodule=generic=4', // its log then tells of each container's start and end (kubernetes pkg/kubelet/pleg/generic.go)
  ],
};

const certificate = (work: string, name: string): string[] => [
  `--tls-cert-file=${join(work, 'pki', `${name}.crt`)}`,
  `--tls-private-key-file=${join(work, 'pki', `${name}.key`)}`,
];

function controller(cluster: Cluster, name: string): string[] {
  const kubeconfig = kubeconfigOf(cluster, name);
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    ...certificate(cluster.work, name),
    '--bind-address=127.0.0.1',
    '--leader-elect=false', // so that a restarted one works at once
  ];
}
