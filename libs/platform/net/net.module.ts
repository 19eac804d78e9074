import { Global, Module } from '@nestjs/common';
import { HostNames } from './host-names';

/** Resolves host names that users enter, for example in the address of a webhook. */
@Global()
@Module({ providers: [HostNames], exports: [HostNames] })
export class NetModule {}
