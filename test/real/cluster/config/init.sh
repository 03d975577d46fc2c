# Process 1 of the cluster's own process, mount and network namespaces. When it is killed, the kernel ends every process
# of the cluster, and mounts, interfaces and firewall rules go with them: nothing has to be found and undone.
#
#   sh init.sh <work folder> <places, one argument each>
set -e
work=$1
shift

# The programs have these places built in. Each cluster gets its own, and the machine's stay as they are.
for place in "$@"; do
  mkdir -p "$work/own$place" "$place"
  mount --bind "$work/own$place" "$place"
done

# The kubelet sets these for the whole machine. It writes to files of the cluster's own instead.
for setting in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
  [ -e "/proc/sys/$setting" ] || continue
  mkdir -p "$work/own/sysctl/${setting%/*}"
  cat "/proc/sys/$setting" > "$work/own/sysctl/$setting"
  mount --bind "$work/own/sysctl/$setting" "/proc/sys/$setting"
done

ip link set lo up
touch "$work/init.ready"
# With the signal ignored, the kernel reaps orphans by itself. (dash does not pass on a `trap '' CHLD`.)
exec env --ignore-signal=CHLD sleep infinity
