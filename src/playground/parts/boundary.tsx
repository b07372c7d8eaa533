/** Keeps a failure in one part of the page from taking the rest with it. */
import { Component, type ComponentChildren } from 'preact'
import { LocaleContext, wordsOf } from '../words/ui.ts'

export class Boundary extends Component<{ readonly children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false }

  static override getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <LocaleContext.Consumer>
        {(locale) => <p class="note">{wordsOf(locale).failure}</p>}
      </LocaleContext.Consumer>
    )
  }
}
