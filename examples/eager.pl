#!/usr/bin/env perl
# A player for Sanssouci in Perl: the turn whose noble scores most. It knows no rule, only the tables.
#
#     sanssouci arena --players random,cmd:"perl examples/eager.pl"

use strict;
use warnings;
use JSON::PP;    # comes with Perl

$| = 1;          # every answer goes out at once
my $json = JSON::PP->new->canonical;

sub best_turn {
    my ($options) = @_;
    my ($best, $most) = ('', -1);
    for my $card (sort keys %{ $options->{cards} }) {
        for my $space (@{ $options->{cards}{$card} }) {
            for my $tile (@{ $options->{spaces}{$space} }) {
                for my $boar (@{ $options->{boar}{$tile} // [''] }) {
                    my $turn = "$card\@$space-$tile" . ($boar ? "~$boar" : '');
                    ($best, $most) = ($turn, 0) if $most < 0;
                    my $stops = $options->{stops}{$tile};
                    for my $stop (sort keys %$stops) {
                        ($best, $most) = ("$turn/$stop", $stops->{$stop}) if $stops->{$stop} > $most;
                    }
                }
            }
        }
    }
    return $best;
}

while (my $line = <STDIN>) {
    my $question = $json->decode($line);
    my $type     = $question->{type};
    my %answer   = (type => $type, id => $question->{id});
    if    ($type eq 'hello') { %answer = (type => $type, protocol => 1, name => 'eager in Perl') }
    elsif ($type eq 'pick')  { $answer{side} = $question->{sides}[0] }
    elsif ($type eq 'turn')  { $answer{turn} = best_turn($question->{options}) }
    elsif ($type eq 'quit')  { last }
    else                     { next }
    print $json->encode(\%answer), "\n";
}
