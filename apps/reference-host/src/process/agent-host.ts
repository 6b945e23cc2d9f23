import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { AgentHost } from '@toolblocks/agent'

/** Identifies the running system and the set of its processes that this process sees. `undefined`: the platform does not tell. */
export type FindSystem = () => string | undefined

/** Reads the id of the boot and of the PID namespace. Linux has both. */
const findSystem: FindSystem = () => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const namespace = readlinkSync('/proc/self/ns/pid')
    return boot === '' || namespace === '' ? undefined : `${boot} ${namespace}`
  } catch {
    return undefined
  }
}

/** Unique among all processes that ever run. */
const TOKEN = randomUUID().slice(0, 8)

/**
 * Returns this process as a host of agents. `isGone` is true only for a process of the same machine, boot and PID namespace that does not run any
 * more. Its pid may belong to another process by now; then the answer is false, and its lease ends in time.
 */
export function createAgentHost({
  find = findSystem,
  pid = process.pid,
}: { find?: FindSystem; pid?: number } = {}): AgentHost {
  const machine = hostname()
  const system = find()
  const systemId =
    system === undefined
      ? UNKNOWN
      : createHash('sha256').update(`${machine} ${system}`).digest('hex').slice(0, SYSTEM_ID_LENGTH)
  return {
    holder: `${machine}/${pid}/${systemId}/${TOKEN}`,
    isGone: (holder) => {
      const other = readHolder(holder)
      return (
        other !== undefined &&
        systemId !== UNKNOWN &&
        other.machine === machine &&
        other.systemId === systemId &&
        !isRunning(other.pid)
      )
    },
  }
}

const UNKNOWN = 'unknown'
const SYSTEM_ID_LENGTH = 16

const HOLDER = /^(?<machine>.*)\/(?<pid>[1-9]\d{0,9})\/(?<systemId>[^/]+)\/[^/]+$/s

function readHolder(
  holder: string,
): { machine: string; pid: number; systemId: string } | undefined {
  const { machine, pid, systemId } = HOLDER.exec(holder)?.groups ?? {}
  return machine === undefined || pid === undefined || systemId === undefined
    ? undefined
    : { machine, pid: Number(pid), systemId }
}

/** Whether a process with this id exists, of any user. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** Describes a host for a person: `process 4711 on laptop`, or its name if another program has chosen it. */
export function describeHost(holder: string): string {
  const read = readHolder(holder)
  return read ? `process ${read.pid} on ${read.machine}` : holder
}

/** Describes a host as `describeHost` does, without the name of this machine: `process 4711`. */
export function describeProcess(holder: string): string {
  const read = readHolder(holder)
  return read?.machine === hostname() ? `process ${read.pid}` : describeHost(holder)
}
