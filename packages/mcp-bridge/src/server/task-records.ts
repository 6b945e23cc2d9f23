import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { SERVER_ERROR } from '../wire/message.ts'
import type { ServedTask, ServedTasks } from './served-tasks.ts'
import { type SharedDocuments, sweepDocuments, writeShared } from './shared-documents.ts'

/** What is known of a task that another replica has begun. */
export interface LostTask {
  /** What its last message said, besides its state. */
  described: JsonObject
  /** Its last state. A task without a known end has failed: it may have been executed. */
  state:
    | Extract<ServedTask['state'], { status: 'completed' } | { status: 'failed' }>
    | { status: 'cancelled' }
}

/** The tasks of all replicas, so that each of them knows where a task is, and what it has come to. */
export interface TaskRecords {
  /** Writes that a task has begun. Its client may ask any replica about it afterwards. */
  begin(task: ServedTask, described: JsonObject): Promise<void>
  /** Writes what a task has come to. */
  end(task: ServedTask, described: JsonObject): Promise<void>
  /** Returns the id of the replica that has begun a task of this owner; `undefined` if there is no such task. */
  findHolder(id: string): Promise<string | undefined>
  /** Returns a task of a replica that has ended. */
  read(id: string, owner: string): Promise<LostTask | undefined>
  /** Removes the tasks that nobody can ask about any more. */
  sweep(): Promise<void>
}

const TASKS = 'mcp-task'
/** The maximum bytes of a result that is kept for other replicas. */
const MAX_RESULT_BYTES = 1024 * 1024
/** Milliseconds that a task is kept for other replicas after its last change. */
const KEEP_MS = 2 * 60 * 60 * 1000

const LOST: LostTask['state'] = {
  status: 'failed',
  error: {
    code: SERVER_ERROR,
    message: 'The replica that executed this task has ended. It may have been executed.',
  },
}

/** Keeps the tasks of a service in shared documents. `ownId` returns the id of this replica. */
export function createTaskRecords(documents: SharedDocuments, ownId: () => string): TaskRecords {
  async function write(task: ServedTask, described: JsonObject): Promise<void> {
    const { id, owner, state } = task
    const text = JSON.stringify(state)
    const isKept = state.status !== 'working' && text.length <= MAX_RESULT_BYTES
    const stored = await documents.read(TASKS, id)
    await writeShared(documents, {
      collection: TASKS,
      id,
      version: stored?.version ?? 0,
      state: ownId(),
      value: { owner, described, writtenAt: Date.now(), ...(isKept && { state }) },
    })
  }

  return {
    begin: write,
    end: write,
    findHolder: async (id) => (await documents.read(TASKS, id))?.state,
    read: async (id, owner) => {
      const stored = await documents.read(TASKS, id)
      const {
        owner: storedOwner,
        described,
        state,
      }: JsonObject = isJsonObject(stored?.value) ? stored.value : {}
      if (storedOwner !== owner || !isJsonObject(described)) return undefined
      return { described, state: isEnded(state) ? state : LOST }
    },
    sweep: async () => await sweepDocuments(documents, { collection: TASKS, keepMs: KEEP_MS }),
  }
}

/** Returns the task that a request names if this process does not have it, and a replica that has ended did. */
export async function findLostTask(
  tasks: ServedTasks,
  { taskId }: JsonObject,
  { owner, records }: { owner: string; records: TaskRecords | undefined },
): Promise<LostTask | undefined> {
  if (!records || typeof taskId !== 'string') return undefined
  if (tasks.list().some(({ id }) => id === taskId)) return undefined
  return await records.read(taskId, owner).catch(() => undefined)
}

/** A state is only written by a replica. */
function isEnded(state: unknown): state is LostTask['state'] {
  const status = isJsonObject(state) ? state['status'] : undefined
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}
