import { Component, type ReactNode, Suspense } from 'react';
import { ErrorNotice } from './ErrorNotice';
import { isMissingFile } from './missing-file';

interface LazyPartProps {
  fallback: ReactNode;
  children: ReactNode;
}

/** A part of a page whose scripts are loaded late. If they cannot be loaded, the rest of the page stays, with all unsaved input. */
export class LazyPart extends Component<LazyPartProps, { error: unknown }> {
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override state = { error: null };

  override render() {
    const { error } = this.state;
    if (error !== null) return <ErrorNotice error={isMissingFile(error) ? new Error(MISSING_PART) : error} />;
    return <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>;
  }
}

const MISSING_PART =
  'This part of the page could not be loaded: the service does not answer, or was updated since you opened the administration. Save or copy what you have typed, then reload the page.';
