import { Global, Module } from '@nestjs/common';
import { HostNames } from './host-names';

/** The way to addresses that accounts name. */
@Global()
@Module({ providers: [HostNames], exports: [HostNames] })
export class NetModule {}
