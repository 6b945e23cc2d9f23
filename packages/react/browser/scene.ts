import { type ComponentType, createElement as h, type ReactElement } from 'react'
import type { ContentReaders } from '@toolblocks/renderer'
import { ApprovalCard, Conversation, QuestionForm, ToolPart, ToolResult } from '../src/index.ts'

/** A component with properties that are JSON, as a test sends it to the page. */
export interface Scene {
  component: 'ApprovalCard' | 'Conversation' | 'QuestionForm' | 'ToolPart' | 'ToolResult'
  props: Readonly<Record<string, unknown>>
  /** What the page gets back for each answer and decision. */
  refuse?: unknown
  /** Reported with everything that a person sends. */
  mark?: string
  /** A scene in a second root of React. */
  beside?: Scene
  /** Whether drafts are in `sessionStorage`. */
  drafts?: 'session' | 'memory'
}

/** Where a page reports what a person sent. */
export type Report = (name: string, ...values: readonly unknown[]) => unknown

const COMPONENTS: Readonly<Record<Scene['component'], unknown>> = {
  ApprovalCard,
  Conversation,
  QuestionForm,
  ToolPart,
  ToolResult,
}

/** Creates the element of a scene, in the same way on the server and in the page. */
export function createScene(
  { component, props, refuse, mark, drafts }: Scene,
  { report, readers }: { report: Report; readers: ContentReaders },
): ReactElement {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the properties come from the test as JSON
  const element = COMPONENTS[component] as ComponentType<Readonly<Record<string, unknown>>>
  const receive =
    (name: string) =>
    (...values: readonly unknown[]): unknown => {
      report(name, ...values, ...(mark === undefined ? [] : [mark]))
      return refuse
    }
  return h(element, {
    ...props,
    readers,
    ...(component !== 'ToolResult' && {
      onAnswer: receive('answer'),
      onDecide: receive('decide'),
      onApproval: receive('approval'),
    }),
    ...(drafts === 'session' &&
      typeof sessionStorage !== 'undefined' && { drafts: sessionStorage }),
  })
}
