// Several tools in one program, which share a file, a schema and a function.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineTool, failure, runTools, structured } from '@toolblocks/tool-sdk'
import { Type, type Static } from '@toolblocks/tool-sdk/typebox'

const Task = Type.Object({ id: Type.Integer(), title: Type.String(), done: Type.Boolean() })
type Task = Static<typeof Task>

async function readTasks(root: string): Promise<Task[]> {
  const file = await readFile(join(root, 'tasks.json'), 'utf8').catch(() => '[]')
  const tasks: Task[] = JSON.parse(file)
  return tasks
}

async function writeTasks(root: string, tasks: readonly Task[]): Promise<void> {
  await writeFile(join(root, 'tasks.json'), JSON.stringify(tasks))
}

const addTask = defineTool({
  name: 'add_task',
  summary: 'Add a task.',
  inputSchema: Type.Object({ title: Type.String({ minLength: 1 }) }),
  outputSchema: Task,
  async run({ title }, { root }) {
    const tasks = await readTasks(root)
    const task = { id: tasks.length + 1, title, done: false }
    await writeTasks(root, [...tasks, task])
    return task
  },
})

const finishTask = defineTool({
  name: 'finish_task',
  summary: 'Mark a task as done.',
  inputSchema: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
  outputSchema: Task,
  annotations: { idempotentHint: true },
  async run({ id }, { root }) {
    const tasks = await readTasks(root)
    const task = tasks.find((candidate) => candidate.id === id)
    if (task === undefined) return failure(`There is no task ${id}. Call list_tasks.`)
    task.done = true
    await writeTasks(root, tasks)
    return structured(task, `Task ${id} (${task.title}) is done.`)
  },
})

const listTasks = defineTool({
  name: 'list_tasks',
  summary: 'List the tasks.',
  outputSchema: Type.Object({ tasks: Type.Array(Task) }),
  annotations: { readOnlyHint: true },
  run: async (_args, { root }) => ({ tasks: await readTasks(root) }),
})

await runTools([addTask, finishTask, listTasks])
