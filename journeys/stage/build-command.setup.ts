import type { TestProject } from 'vitest/node'
import { buildCommand } from '../../apps/reference-host/bundle/build-command.ts'

/** Builds the command as it is published, once for all journeys. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('command', await buildCommand('command-of-journeys'))
}
